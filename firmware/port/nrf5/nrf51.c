/*
 * nrf51.c: nRF51822 at 16 MHz; the UART without DMA on P0.24 and P0.25 (micro:bit).
 *
 * Registers as in the nRF51 Series Reference Manual, chapters 13, 20 and 29.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../common/mcuc_arm.h"
#include "mcuc_port.h"
#include "nrf5.h"

enum { CLOCK_HZ = 16000000, UART0_INTERRUPT = 2, PIN_TX = 24, PIN_RX = 25 };

#define UART0_TASKS_STARTRX MCUC_REGISTER(0x40002000U)
#define UART0_TASKS_STARTTX MCUC_REGISTER(0x40002008U)
#define UART0_EVENTS_RXDRDY MCUC_REGISTER(0x40002108U)
#define UART0_EVENTS_TXDRDY MCUC_REGISTER(0x4000211CU)
#define UART0_INTENSET MCUC_REGISTER(0x40002304U)
#define UART0_ENABLE MCUC_REGISTER(0x40002500U)
#define UART0_PSELTXD MCUC_REGISTER(0x4000250CU)
#define UART0_PSELRXD MCUC_REGISTER(0x40002514U)
#define UART0_RXD MCUC_REGISTER(0x40002518U)
#define UART0_TXD MCUC_REGISTER(0x4000251CU)
#define UART0_BAUDRATE MCUC_REGISTER(0x40002524U)
#define INTENSET_RXDRDY (1U << 2)
#define ENABLE_UART 4U
#define BAUDRATE_115200 0x01D7E000U

/* Pins are set up before the UART takes them over (29.2). */
#define GPIO_OUTSET MCUC_REGISTER(0x50000508U)
#define GPIO_DIRSET MCUC_REGISTER(0x50000518U)

void mcuc_port_init(void)
{
    mcuc_nrf5_crystal_start();
    GPIO_OUTSET = 1U << PIN_TX;
    GPIO_DIRSET = 1U << PIN_TX;
    UART0_PSELTXD = PIN_TX;
    UART0_PSELRXD = PIN_RX;
    UART0_BAUDRATE = BAUDRATE_115200;
    UART0_ENABLE = ENABLE_UART;
    UART0_INTENSET = INTENSET_RXDRDY;
    UART0_TASKS_STARTTX = 1;
    UART0_TASKS_STARTRX = 1;
    mcuc_nrf5_ticks_start();
    mcuc_arm_wake_start(UART0_INTERRUPT);
}

uint32_t mcuc_port_clock_hz(void)
{
    return CLOCK_HZ;
}

void mcuc_port_write(const char *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        UART0_EVENTS_TXDRDY = 0;
        UART0_TXD = (uint8_t)bytes[i];
        (void)mcuc_nrf5_await(&UART0_EVENTS_TXDRDY);
    }
}

/* The event is cleared before the byte is taken: the next byte in the FIFO raises it again. */
int32_t mcuc_port_read(void)
{
    while (UART0_EVENTS_RXDRDY == 0) {
        mcuc_arm_sleep();
    }
    UART0_EVENTS_RXDRDY = 0;
    int32_t byte = (int32_t)(UART0_RXD & 0xFFU);
    mcuc_arm_wake_clear(UART0_INTERRUPT);
    return byte;
}

/* TIMER0 and the CPU have the same clock, but an emulator's have not: no claim is made. */
uint32_t mcuc_port_cycles(void)
{
    return 0;
}
