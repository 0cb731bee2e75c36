/*
 * an505.c: the image AN505 (IoT kit, Cortex-M33).
 *
 * The CPU starts in Secure state and stays there: peripherals are used at their
 * Secure addresses. Addresses and clock are those of Arm's application note AN505.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mps2.h"

const mcuc_mps2 mcuc_mps2_image = {
    .uart = 0x50200000U,
    .timer = 0x50000000U,
    .uart_receive_interrupt = 32,
    .clock_hz = 20000000U,
};
