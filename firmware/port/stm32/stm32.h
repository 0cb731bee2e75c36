/*
 * stm32.h: what the families of STM32 share: waiting, pins, TIM2.
 *
 * Pins and timers are the same peripherals in F4, F7, H7 and L4 (RM0090 8.4 and 18.4,
 * RM0385 6.4 and 23.4, RM0433 11.4 and 39.4, RM0351 8.5 and 31.4), at addresses that differ.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_STM32_H
#define MCUC_STM32_H

#include <stdint.h>

#define MCUC_REGISTER(address) (*(volatile uint32_t *)(address))

enum { MCUC_STM32_BAUD = 115200 };

/*
 * Waits until the masked bits have the value; 0 when they never do. A crystal
 * takes about 2 ms (data sheets, HSE characteristics); at 16 MHz this waits over 20 ms.
 */
int32_t mcuc_stm32_await(const volatile uint32_t *address, uint32_t mask, uint32_t value);

/* Gives a pin to a peripheral, with a pull-up: an unconnected receive pin stays idle. */
void mcuc_stm32_pin(uintptr_t gpio, uint32_t pin, uint32_t alternate_function);

/* TIM2, which counts to 2^32; its bus clock must be on. */
void mcuc_stm32_ticks_start(void);

/* The USART at `usart`, fed with `clock_hz`; its bus clock must be on. */
void mcuc_stm32_serial_start(uintptr_t usart, uint32_t interrupt, uint32_t clock_hz);

#endif
