/*
 * mps2.h: what the FPGA images of the MPS2 board differ in.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_MPS2_H
#define MCUC_MPS2_H

#include <stdint.h>

typedef struct {
    uintptr_t uart;
    uintptr_t timer;
    uint32_t uart_receive_interrupt;
    uint32_t clock_hz;
} mcuc_mps2;

extern const mcuc_mps2 mcuc_mps2_image;

#endif
