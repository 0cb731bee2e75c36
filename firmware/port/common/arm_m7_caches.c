/*
 * arm_m7_caches.c: turns on both caches of a Cortex-M7.
 *
 * Nothing but the CPU reads or writes memory here (no DMA), so that they stay on and
 * need no care. References are to ARM DDI 0403, B3.2 and B4.8, and the Cortex-M7
 * Technical Reference Manual (ARM DDI 0489), chapter 5.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_arm.h"

#define SCB_CCR (*(volatile uint32_t *)0xE000ED14U)
#define SCB_CCSIDR (*(const volatile uint32_t *)0xE000ED80U)
#define SCB_CSSELR (*(volatile uint32_t *)0xE000ED84U)
#define SCB_ICIALLU (*(volatile uint32_t *)0xE000EF50U)
#define SCB_DCISW (*(volatile uint32_t *)0xE000EF60U)

#define CCR_DATA_CACHE (1U << 16)
#define CCR_INSTRUCTION_CACHE (1U << 17)
#define CCSIDR_WAYS(size) (((size) >> 3) & 0x3FFU)   /* less one */
#define CCSIDR_SETS(size) (((size) >> 13) & 0x7FFFU) /* less one */
enum { SET_SHIFT = 5, WAY_SHIFT = 30 };              /* lines of 32 bytes, four ways */

static void barrier(void)
{
    __asm volatile("dsb\n\tisb" ::: "memory");
}

/* What is in the data cache after reset is undefined: every line is thrown away first. */
static void invalidate_data(void)
{
    SCB_CSSELR = 0; /* the data cache of level 1 */
    barrier();
    uint32_t size = SCB_CCSIDR;
    for (uint32_t set = 0; set <= CCSIDR_SETS(size); set++) {
        for (uint32_t way = 0; way <= CCSIDR_WAYS(size); way++) {
            SCB_DCISW = (set << SET_SHIFT) | (way << WAY_SHIFT);
        }
    }
    barrier();
}

void mcuc_arm_caches_start(void)
{
    barrier();
    SCB_ICIALLU = 0;
    barrier();
    SCB_CCR |= CCR_INSTRUCTION_CACHE;
    barrier();
    invalidate_data();
    SCB_CCR |= CCR_DATA_CACHE;
    barrier();
}
