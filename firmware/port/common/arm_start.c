/*
 * arm_start.c: from reset to main on any Cortex-M, and what happens on a fault.
 *
 * Sections and symbols are those of link.ld.j2. References are to the Armv7-M
 * Architecture Reference Manual (ARM DDI 0403), part B; Armv6-M and Armv8-M agree.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdint.h>

#include "mcuc_arm.h"

int main(void);
void mcuc_reset(void);
void mcuc_fault(void);
void mcuc_fault_report(const uint32_t *frame);
void mcuc_harness_fault(uint32_t exception, uint32_t address, uint32_t status);

/* Made by the linker; only their addresses mean something. */
extern uint8_t mcuc_link_data_load[];
extern uint8_t mcuc_link_data_start[];
extern uint8_t mcuc_link_data_end[];
extern uint8_t mcuc_link_bss_start[];
extern uint8_t mcuc_link_bss_end[];
extern uint8_t mcuc_link_stack_low[];
extern uint8_t mcuc_link_stack_high[];

/* B3.2.2: system control and identification registers. */
#define SCB_ICSR (*(volatile uint32_t *)0xE000ED04U)
#define SCB_VTOR (*(volatile uint32_t *)0xE000ED08U)

#define ICSR_VECTACTIVE 0x1FFU

typedef union {
    const uint8_t *stack;
    void (*handler)(void);
} vector;

/* B1.5.3: the initial stack pointer, then exceptions 1 to 15. No interrupt is ever taken. */
__attribute__((section(".vectors"), used)) static const vector vectors[16] = {
    {.stack = mcuc_link_stack_high}, {.handler = mcuc_reset}, {.handler = mcuc_fault}, /* NMI */
    {.handler = mcuc_fault}, /* HardFault; the three below end here unless enabled */
    {.handler = mcuc_fault}, /* MemManage */
    {.handler = mcuc_fault}, /* BusFault */
    {.handler = mcuc_fault}, /* UsageFault */
    {.handler = mcuc_fault}, /* SecureFault of Armv8-M */
    {.handler = mcuc_fault},         {.handler = mcuc_fault}, {.handler = mcuc_fault},
    {.handler = mcuc_fault},                                  /* SVCall */
    {.handler = mcuc_fault},                                  /* DebugMonitor */
    {.handler = mcuc_fault},         {.handler = mcuc_fault}, /* PendSV */
    {.handler = mcuc_fault},                                  /* SysTick */
};

void mcuc_reset(void)
{
    mcuc_arm_cpu_start();
    SCB_VTOR = (uint32_t)(uintptr_t)vectors;

    /* In loops of its own: what the C library has for this is many times as large. */
    const uint8_t *from = mcuc_link_data_load;
    for (uint8_t *to = mcuc_link_data_start; to < mcuc_link_data_end; to++) {
        *to = *from++;
    }
    for (uint8_t *to = mcuc_link_bss_start; to < mcuc_link_bss_end; to++) {
        *to = 0;
    }

    (void)main();
    for (;;) {
    }
}

/*
 * The stack may be what is broken (it lies lowest in RAM, so that it overflows
 * into nothing): the old pointer is kept as the argument, and a fresh stack used.
 */
__attribute__((naked)) void mcuc_fault(void)
{
    __asm volatile("mrs r0, msp\n\t"
                   "ldr r1, =mcuc_link_stack_high\n\t"
                   "msr msp, r1\n\t"
                   "bl mcuc_fault_report\n\t");
}

/* B1.5.6: an exception pushes r0-r3, r12, lr, pc, xPSR; the frame is read if it is there. */
void mcuc_fault_report(const uint32_t *frame)
{
    enum { FRAME_PC = 6, FRAME_WORDS = 8 };
    uintptr_t at = (uintptr_t)frame;
    uintptr_t end = (uintptr_t)mcuc_link_stack_high;
    uint32_t address = 0;
    if (at >= (uintptr_t)mcuc_link_stack_low && at <= end - FRAME_WORDS * sizeof(uint32_t)) {
        address = frame[FRAME_PC];
    }
    mcuc_harness_fault(SCB_ICSR & ICSR_VECTACTIVE, address, mcuc_arm_fault_status());
}
