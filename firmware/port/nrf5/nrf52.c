/*
 * nrf52.c: nRF52840 at 64 MHz; UARTE0 with EasyDMA on P0.06 and P0.08 (nRF52840 DK).
 *
 * Registers as in the nRF52840 Product Specification (PS 1.7): 4.3 NVMC, 5.4 CLOCK, 6.34 UARTE.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../common/mcuc_arm.h"
#include "mcuc_port.h"
#include "nrf5.h"

enum { CLOCK_HZ = 64000000, UARTE0_INTERRUPT = 2, PIN_TX = 6, PIN_RX = 8 };

#define UARTE0_TASKS_STARTRX MCUC_REGISTER(0x40002000U)
#define UARTE0_TASKS_STARTTX MCUC_REGISTER(0x40002008U)
#define UARTE0_EVENTS_ENDRX MCUC_REGISTER(0x40002110U)
#define UARTE0_EVENTS_ENDTX MCUC_REGISTER(0x40002120U)
#define UARTE0_INTENSET MCUC_REGISTER(0x40002304U)
#define UARTE0_ENABLE MCUC_REGISTER(0x40002500U)
#define UARTE0_PSEL_TXD MCUC_REGISTER(0x4000250CU)
#define UARTE0_PSEL_RXD MCUC_REGISTER(0x40002514U)
#define UARTE0_BAUDRATE MCUC_REGISTER(0x40002524U)
#define UARTE0_RXD_PTR MCUC_REGISTER(0x40002534U)
#define UARTE0_RXD_MAXCNT MCUC_REGISTER(0x40002538U)
#define UARTE0_TXD_PTR MCUC_REGISTER(0x40002544U)
#define UARTE0_TXD_MAXCNT MCUC_REGISTER(0x40002548U)
#define INTENSET_ENDRX (1U << 4)
#define ENABLE_UARTE 8U
#define BAUDRATE_115200 0x01D60000U

#define NVMC_ICACHECNF MCUC_REGISTER(0x4001E540U)
#define ICACHECNF_ENABLE 1U

#define GPIO0_OUTSET MCUC_REGISTER(0x50000508U)
#define GPIO0_DIRSET MCUC_REGISTER(0x50000518U)

/* EasyDMA reads and writes RAM alone; texts to send may be in flash. */
enum { SEND_BYTES = 64 };
static volatile uint8_t sent[SEND_BYTES];
static volatile uint8_t received;

static void receive_next(void)
{
    UARTE0_EVENTS_ENDRX = 0;
    UARTE0_TASKS_STARTRX = 1;
}

void mcuc_port_init(void)
{
    NVMC_ICACHECNF = ICACHECNF_ENABLE;
    mcuc_nrf5_crystal_start();
    GPIO0_OUTSET = 1U << PIN_TX;
    GPIO0_DIRSET = 1U << PIN_TX;
    UARTE0_PSEL_TXD = PIN_TX;
    UARTE0_PSEL_RXD = PIN_RX;
    UARTE0_BAUDRATE = BAUDRATE_115200;
    UARTE0_ENABLE = ENABLE_UARTE;
    UARTE0_INTENSET = INTENSET_ENDRX;
    UARTE0_RXD_PTR = (uint32_t)(uintptr_t)&received;
    UARTE0_RXD_MAXCNT = 1;
    receive_next();
    mcuc_nrf5_ticks_start();
    mcuc_arm_wake_start(UARTE0_INTERRUPT);
    mcuc_arm_cycles_start();
}

uint32_t mcuc_port_clock_hz(void)
{
    return CLOCK_HZ;
}

static void send(uint32_t count)
{
    UARTE0_EVENTS_ENDTX = 0;
    UARTE0_TXD_PTR = (uint32_t)(uintptr_t)sent;
    UARTE0_TXD_MAXCNT = count;
    UARTE0_TASKS_STARTTX = 1;
    (void)mcuc_nrf5_await(&UARTE0_EVENTS_ENDTX); /* 64 bytes take 5.6 ms */
}

void mcuc_port_write(const char *bytes, uint32_t count)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < count; i++) {
        sent[held++] = (uint8_t)bytes[i];
        if (held == SEND_BYTES) {
            send(held);
            held = 0;
        }
    }
    if (held > 0) {
        send(held);
    }
}

/*
 * One byte a transfer. Until the next transfer starts, the UARTE keeps what comes in
 * its own FIFO of a few bytes (6.34.2); that is enough for the few instructions in between.
 */
int32_t mcuc_port_read(void)
{
    while (UARTE0_EVENTS_ENDRX == 0) {
        mcuc_arm_sleep();
    }
    int32_t byte = received;
    receive_next();
    mcuc_arm_wake_clear(UARTE0_INTERRUPT);
    return byte;
}
