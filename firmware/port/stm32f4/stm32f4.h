/*
 * stm32f4.h: what boards with an STM32F4 differ in.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_STM32F4_H
#define MCUC_STM32F4_H

#include <stdint.h>

/* What RCC_CR needs before HSEON: nothing for a crystal, HSEBYP for a signal of another chip. */
extern const uint32_t mcuc_stm32f4_cr_bypass;

#endif
