/*
 * rp2040.c: RP2040 with a 12 MHz crystal: 125 MHz, UART0 on GP0 and GP1 (Raspberry Pi Pico).
 *
 * Section numbers are those of the RP2040 data sheet. Register names are the data
 * sheet's. Every wait is bounded; where the crystal or the PLL does not come up the chip
 * stays on its ring oscillator, whose frequency nobody knows: then the line stays silent.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../common/mcuc_arm.h"
#include "mcuc_port.h"

enum { CLOCK_HZ = 125000000, CRYSTAL_MHZ = 12, CLOCK_MHZ = 125, BAUD = 115200 };

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define CLEAR(address) REGISTER((address) + 0x3000U) /* 2.1.2: clears the bits that are written */

/* 2.14.3 */
#define RESETS_RESET 0x4000C000U
#define RESETS_DONE REGISTER(0x4000C008U)
#define RESET_IO_BANK0 (1U << 5)
#define RESET_PADS_BANK0 (1U << 8)
#define RESET_PLL_SYS (1U << 12)
#define RESET_TIMER (1U << 21)
#define RESET_UART0 (1U << 22)

/* 2.16.7: 1 to 15 MHz; a start-up delay of 47 * 256 crystal cycles is 1 ms */
#define XOSC_CTRL REGISTER(0x40024000U)
#define XOSC_STATUS REGISTER(0x40024004U)
#define XOSC_STARTUP REGISTER(0x4002400CU)
#define XOSC_ENABLE ((0xFABU << 12) | 0xAA0U)
#define XOSC_STABLE (1U << 31)

/* 2.18.4: VCO = 12 MHz * 125 = 1500 MHz; / 6 / 2 = 125 MHz */
#define PLL_SYS_CS REGISTER(0x40028000U)
#define PLL_SYS_PWR 0x40028004U
#define PLL_SYS_FBDIV REGISTER(0x40028008U)
#define PLL_SYS_PRIM REGISTER(0x4002800CU)
#define PLL_CS_LOCK (1U << 31)
#define PLL_PWR_PD (1U << 0)
#define PLL_PWR_POSTDIVPD (1U << 3)
#define PLL_PWR_VCOPD (1U << 5)
#define PLL_PRIM_6_2 ((6U << 16) | (2U << 12))

/* 2.15.7 */
#define CLK_REF_CTRL REGISTER(0x40008030U)
#define CLK_REF_SELECTED REGISTER(0x40008038U)
#define CLK_SYS_CTRL REGISTER(0x4000803CU)
#define CLK_SYS_SELECTED REGISTER(0x40008044U)
#define CLK_PERI_CTRL REGISTER(0x40008048U)
#define CLK_REF_SRC_XOSC 2U
#define CLK_REF_IS_XOSC (1U << 2)
#define CLK_SYS_SRC_AUX 1U /* of which 0 is the PLL */
#define CLK_SYS_IS_AUX (1U << 1)
#define CLK_PERI_ENABLE_SYS (1U << 11)

/* 4.7.6 and 4.6.5: the watchdog divides the crystal to the microseconds of the timer */
#define WATCHDOG_TICK REGISTER(0x4005802CU)
#define TICK_ENABLE (1U << 9)
#define TIMER_TIMERAWL REGISTER(0x40054028U)

/* 2.19.6 */
#define GPIO0_CTRL REGISTER(0x40014004U)
#define GPIO1_CTRL REGISTER(0x4001400CU)
#define PADS_GPIO1 REGISTER(0x4001C008U)
#define FUNCSEL_UART 2U
#define PADS_PULL_UP (1U << 3)
#define PADS_PULL_DOWN (1U << 2)

/* 4.2.8: an Arm PL011 */
#define UART0_DR REGISTER(0x40034000U)
#define UART0_FR REGISTER(0x40034018U)
#define UART0_IBRD REGISTER(0x40034024U)
#define UART0_FBRD REGISTER(0x40034028U)
#define UART0_LCR_H REGISTER(0x4003402CU)
#define UART0_CR REGISTER(0x40034030U)
#define UART0_IMSC REGISTER(0x40034038U)
#define FR_RX_EMPTY (1U << 4)
#define FR_TX_FULL (1U << 5)
#define LCR_8_BITS_FIFO ((3U << 5) | (1U << 4))
#define CR_ON ((1U << 0) | (1U << 8) | (1U << 9))
#define IMSC_RX_AND_TIMEOUT ((1U << 4) | (1U << 6))
enum { UART0_INTERRUPT = 20 }; /* 2.3.2 */

/* ARM DDI 0419, B3.3: 24 bits, counting down with the CPU clock */
#define SYST_CSR REGISTER(0xE000E010U)
#define SYST_RVR REGISTER(0xE000E014U)
#define SYST_CVR REGISTER(0xE000E018U)
#define SYST_CSR_CPU_CLOCK 5U
#define SYST_MASK 0xFFFFFFU

static uint32_t clock_hz;
static uint32_t count_start_us;

static int32_t await(const volatile uint32_t *address, uint32_t mask, uint32_t value)
{
    for (uint32_t i = 0; i < 50000; i++) {
        if ((*address & mask) == value) {
            return 1;
        }
    }
    return 0;
}

static int32_t leave_reset(uint32_t blocks)
{
    CLEAR(RESETS_RESET) = blocks;
    return await(&RESETS_DONE, blocks, blocks);
}

static int32_t start_pll(void)
{
    XOSC_STARTUP = 47;
    XOSC_CTRL = XOSC_ENABLE;
    if (!await(&XOSC_STATUS, XOSC_STABLE, XOSC_STABLE) || !leave_reset(RESET_PLL_SYS)) {
        return 0;
    }
    PLL_SYS_CS = 1; /* the crystal undivided */
    PLL_SYS_FBDIV = CLOCK_MHZ;
    CLEAR(PLL_SYS_PWR) = PLL_PWR_PD | PLL_PWR_VCOPD;
    if (!await(&PLL_SYS_CS, PLL_CS_LOCK, PLL_CS_LOCK)) {
        return 0;
    }
    PLL_SYS_PRIM = PLL_PRIM_6_2;
    CLEAR(PLL_SYS_PWR) = PLL_PWR_POSTDIVPD;
    return 1;
}

/* 2.15.3.2: from one glitchless source to the next. */
static int32_t switch_clocks(void)
{
    CLK_REF_CTRL = CLK_REF_SRC_XOSC;
    if (!await(&CLK_REF_SELECTED, CLK_REF_IS_XOSC, CLK_REF_IS_XOSC)) {
        return 0;
    }
    CLK_SYS_CTRL = CLK_SYS_SRC_AUX;
    if (!await(&CLK_SYS_SELECTED, CLK_SYS_IS_AUX, CLK_SYS_IS_AUX)) {
        return 0;
    }
    CLK_PERI_CTRL = CLK_PERI_ENABLE_SYS;
    WATCHDOG_TICK = TICK_ENABLE | CRYSTAL_MHZ;
    return 1;
}

/* 4.2.7.1: the divider in 64ths, to the nearest; LCR_H is written last and takes it over. */
static void start_serial(void)
{
    uint32_t divider = (uint32_t)(((uint64_t)CLOCK_HZ * 8U / BAUD + 1U) / 2U);
    GPIO0_CTRL = FUNCSEL_UART;
    GPIO1_CTRL = FUNCSEL_UART;
    PADS_GPIO1 = (PADS_GPIO1 & ~PADS_PULL_DOWN) | PADS_PULL_UP; /* unconnected means idle */
    UART0_IBRD = divider / 64;
    UART0_FBRD = divider % 64;
    UART0_LCR_H = LCR_8_BITS_FIFO;
    UART0_CR = CR_ON;
    UART0_IMSC = IMSC_RX_AND_TIMEOUT;
    mcuc_arm_wake_start(UART0_INTERRUPT);
}

/* Both counters of mcuc_port_cycles begin together, to within a few cycles. */
static void start_count(void)
{
    SYST_RVR = SYST_MASK;
    SYST_CVR = 0; /* any write empties it; the next cycle reloads it */
    count_start_us = TIMER_TIMERAWL;
    SYST_CSR = SYST_CSR_CPU_CLOCK;
}

void mcuc_port_init(void)
{
    if (start_pll() && switch_clocks()) {
        clock_hz = CLOCK_HZ;
    }
    (void)leave_reset(RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_TIMER | RESET_UART0);
    start_serial();
    start_count();
}

uint32_t mcuc_port_clock_hz(void)
{
    return clock_hz;
}

void mcuc_port_write(const char *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        while ((UART0_FR & FR_TX_FULL) != 0) {
        }
        UART0_DR = (uint8_t)bytes[i];
    }
}

int32_t mcuc_port_read(void)
{
    while ((UART0_FR & FR_RX_EMPTY) != 0) {
        mcuc_arm_sleep();
    }
    int32_t byte = (int32_t)(UART0_DR & 0xFFU);
    mcuc_arm_wake_clear(UART0_INTERRUPT);
    return byte;
}

/* Microseconds. */
uint32_t mcuc_port_ticks(void)
{
    return TIMER_TIMERAWL;
}

/*
 * The core has no cycle counter. SysTick counts cycles but wraps after 2^24 of them; the
 * timer tells microseconds, of 125 cycles each, since crystal and PLL feed both. So
 * the microseconds give the count to within some hundred cycles, and SysTick its exact
 * lower 24 bits: of all counts with these bits the nearest is the right one. All
 * of it modulo 2^32.
 */
uint32_t mcuc_port_cycles(void)
{
    uint32_t coarse = (TIMER_TIMERAWL - count_start_us) * CLOCK_MHZ;
    uint32_t fine = SYST_MASK - SYST_CVR;
    uint32_t ahead = (fine - coarse) & SYST_MASK;
    return coarse + ahead - (ahead > SYST_MASK / 2 ? SYST_MASK + 1U : 0U);
}
