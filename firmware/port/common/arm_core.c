/*
 * arm_core.c: the cycle counter, the stack and the sleep of a Cortex-M.
 *
 * References are to the Armv7-M Architecture Reference Manual (ARM DDI 0403), parts B and C.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_arm.h"
#include "mcuc_port.h"

extern uint8_t mcuc_link_stack_low[];

/* C1.6.5 and C1.8.3. An emulator or a debugger-less part may have none of them. */
#define DEMCR (*(volatile uint32_t *)0xE000EDFCU)
#define DWT_CTRL (*(volatile uint32_t *)0xE0001000U)
#define DWT_CYCCNT (*(volatile uint32_t *)0xE0001004U)
#define DWT_LAR (*(volatile uint32_t *)0xE0001FB0U)

/* B3.4.3: set-enable and clear-pending, 32 interrupts a register */
#define NVIC_ISER(word) (*(volatile uint32_t *)(0xE000E100U + 4U * (word)))
#define NVIC_ICPR(word) (*(volatile uint32_t *)(0xE000E280U + 4U * (word)))

#define DEMCR_TRCENA (1U << 24)
#define DWT_CTRL_CYCCNTENA 1U
#define CORESIGHT_UNLOCK 0xC5ACCE55U /* the key of every CoreSight lock register */

void mcuc_arm_cycles_start(void)
{
    DEMCR |= DEMCR_TRCENA;
    DWT_LAR = CORESIGHT_UNLOCK; /* the Cortex-M7 locks its DWT; others ignore this */
    DWT_CYCCNT = 0;
    DWT_CTRL |= DWT_CTRL_CYCCNTENA;
}

void mcuc_arm_wake_start(uint32_t interrupt)
{
    __asm volatile("cpsid i" ::: "memory");
    NVIC_ISER(interrupt / 32) = 1U << (interrupt % 32);
}

/* B1.5.17: no longer than until the next interrupt is pending, be it from before. */
void mcuc_arm_sleep(void)
{
    __asm volatile("dsb\n\twfi" ::: "memory");
}

void mcuc_arm_wake_clear(uint32_t interrupt)
{
    NVIC_ICPR(interrupt / 32) = 1U << (interrupt % 32);
}

uint32_t mcuc_port_cycles(void)
{
    return DWT_CYCCNT;
}

uintptr_t mcuc_port_stack_low(void)
{
    return (uintptr_t)mcuc_link_stack_low;
}

/* Naked: no frame of its own comes between the caller's stack pointer and the answer. */
__attribute__((naked)) uintptr_t mcuc_port_stack_pointer(void)
{
    __asm volatile("mov r0, sp\n\t"
                   "bx lr\n\t");
}
