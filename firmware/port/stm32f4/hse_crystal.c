/*
 * hse_crystal.c: the 8 MHz come from a crystal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stm32f4.h"

const uint32_t mcuc_stm32f4_cr_bypass = 0;
