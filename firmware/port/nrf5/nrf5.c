/*
 * nrf5.c: the crystal and TIMER0; see nrf5.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "nrf5.h"

#include "mcuc_port.h"

#define CLOCK_TASKS_HFCLKSTART MCUC_REGISTER(0x40000000U)
#define CLOCK_EVENTS_HFCLKSTARTED MCUC_REGISTER(0x40000100U)

#define TIMER0_TASKS_START MCUC_REGISTER(0x40008000U)
#define TIMER0_TASKS_CAPTURE0 MCUC_REGISTER(0x40008040U)
#define TIMER0_MODE MCUC_REGISTER(0x40008504U)
#define TIMER0_BITMODE MCUC_REGISTER(0x40008508U)
#define TIMER0_PRESCALER MCUC_REGISTER(0x40008510U)
#define TIMER0_CC0 MCUC_REGISTER(0x40008540U)
#define MODE_TIMER 0U
#define BITMODE_32 3U

int32_t mcuc_nrf5_await(const volatile uint32_t *event)
{
    for (uint32_t i = 0; i < 200000; i++) {
        if (*event != 0) {
            return 1;
        }
    }
    return 0;
}

/* Where it does not start, the RC oscillator goes on; the line may then be off by some per cent. */
void mcuc_nrf5_crystal_start(void)
{
    CLOCK_EVENTS_HFCLKSTARTED = 0;
    CLOCK_TASKS_HFCLKSTART = 1;
    (void)mcuc_nrf5_await(&CLOCK_EVENTS_HFCLKSTARTED);
}

void mcuc_nrf5_ticks_start(void)
{
    TIMER0_MODE = MODE_TIMER;
    TIMER0_BITMODE = BITMODE_32;
    TIMER0_PRESCALER = 0;
    TIMER0_TASKS_START = 1;
}

uint32_t mcuc_port_ticks(void)
{
    TIMER0_TASKS_CAPTURE0 = 1;
    return TIMER0_CC0;
}
