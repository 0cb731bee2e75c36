/*
 * an385.c: the images AN385 (Cortex-M3), AN386 (M4) and AN500 (M7), which are alike.
 *
 * Addresses and clock are those of Arm's application notes of these numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mps2.h"

const mcuc_mps2 mcuc_mps2_image = {
    .uart = 0x40004000U,
    .timer = 0x40000000U,
    .uart_receive_interrupt = 0,
    .clock_hz = 25000000U,
};
