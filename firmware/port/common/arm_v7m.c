/*
 * arm_v7m.c: what Armv7-M and Armv8-M have beyond Armv6-M: FPU, fault status, cycle counter.
 *
 * References are to the Armv7-M Architecture Reference Manual (ARM DDI 0403), parts B and C.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_arm.h"
#include "mcuc_port.h"

/* B3.2.2. Without an FPU the access bits read as zero and stay so. */
#define SCB_CFSR (*(volatile uint32_t *)0xE000ED28U)
#define SCB_CPACR (*(volatile uint32_t *)0xE000ED88U)
#define CPACR_CP10_CP11_FULL (0xFU << 20)

/* C1.6.5 and C1.8.3. An emulator or a debugger-less part may have none of them. */
#define DEMCR (*(volatile uint32_t *)0xE000EDFCU)
#define DWT_CTRL (*(volatile uint32_t *)0xE0001000U)
#define DWT_CYCCNT (*(volatile uint32_t *)0xE0001004U)
#define DWT_LAR (*(volatile uint32_t *)0xE0001FB0U)
#define DEMCR_TRCENA (1U << 24)
#define DWT_CTRL_CYCCNTENA 1U
#define CORESIGHT_UNLOCK 0xC5ACCE55U /* the key of every CoreSight lock register */

/* First of all after reset: compiled code may use floating-point registers anywhere (B1.4.7). */
void mcuc_arm_cpu_start(void)
{
    SCB_CPACR |= CPACR_CP10_CP11_FULL;
    __asm volatile("dsb\n\tisb" ::: "memory");
}

uint32_t mcuc_arm_fault_status(void)
{
    return SCB_CFSR;
}

void mcuc_arm_cycles_start(void)
{
    DEMCR |= DEMCR_TRCENA;
    DWT_LAR = CORESIGHT_UNLOCK; /* the Cortex-M7 locks its DWT; others ignore this */
    DWT_CYCCNT = 0;
    DWT_CTRL |= DWT_CTRL_CYCCNTENA;
}

uint32_t mcuc_port_cycles(void)
{
    return DWT_CYCCNT;
}
