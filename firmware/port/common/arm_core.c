/*
 * arm_core.c: the stack and the sleep of any Cortex-M.
 *
 * References are to the Armv7-M Architecture Reference Manual (ARM DDI 0403), part B;
 * Armv6-M (ARM DDI 0419) and Armv8-M agree.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_arm.h"
#include "mcuc_port.h"

extern uint8_t mcuc_link_stack_low[];

/* B3.4.3: set-enable and clear-pending, 32 interrupts a register */
#define NVIC_ISER(word) (*(volatile uint32_t *)(0xE000E100U + 4U * (word)))
#define NVIC_ICPR(word) (*(volatile uint32_t *)(0xE000E280U + 4U * (word)))

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
