/*
 * nrf5.h: what nRF51 and nRF52 share: tasks and events, the crystal, TIMER0.
 *
 * A peripheral is started by writing 1 to a task and tells by an event that reads 1
 * until 0 is written to it (nRF52840 Product Specification, 6.1; nRF51 Series Reference
 * Manual, 10.1).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_NRF5_H
#define MCUC_NRF5_H

#include <stdint.h>

#define MCUC_REGISTER(address) (*(volatile uint32_t *)(address))

/* Waits for an event; 0 when it never comes. A crystal takes less than 2 ms. */
int32_t mcuc_nrf5_await(const volatile uint32_t *event);

/* The crystal instead of the RC oscillator, which is too inexact for a serial line. */
void mcuc_nrf5_crystal_start(void);

/* TIMER0 at 16 MHz, 32 bits. */
void mcuc_nrf5_ticks_start(void);

#endif
