/*
 * hse_signal.c: the 8 MHz come as a signal from another chip, such as the ST-LINK of a Nucleo.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stm32f4.h"

const uint32_t mcuc_stm32f4_cr_bypass = 1U << 18; /* HSEBYP (RM0390, 6.3.1) */
