/*
 * stm32l4.c: STM32L475 from its 16 MHz RC oscillator: 80 MHz, USART1 on PB6 and PB7.
 *
 * Section numbers are those of the reference manual RM0351. Register names are the
 * manual's. The board has no fast crystal; the RC oscillator is within one per cent, which
 * a serial line bears. Every wait is bounded; where a clock does not come up the
 * chip stays on the 4 MHz that it starts with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../common/mcuc_arm.h"
#include "../stm32/stm32.h"
#include "mcuc_port.h"

enum { MSI_HZ = 4000000, PLL_HZ = 80000000 };

/* 6.4: reset and clock control */
#define RCC_CR MCUC_REGISTER(0x40021000U)
#define RCC_CFGR MCUC_REGISTER(0x40021008U)
#define RCC_PLLCFGR MCUC_REGISTER(0x4002100CU)
#define RCC_AHB2ENR MCUC_REGISTER(0x4002104CU)
#define RCC_APB1ENR1 MCUC_REGISTER(0x40021058U)
#define RCC_APB2ENR MCUC_REGISTER(0x40021060U)
#define CR_HSION (1U << 8)
#define CR_HSIRDY (1U << 10)
#define CR_PLLON (1U << 24)
#define CR_PLLRDY (1U << 25)
#define AHB2ENR_GPIOBEN (1U << 1)
#define APB1ENR1_TIM2EN (1U << 0)
#define APB2ENR_USART1EN (1U << 14)

/* 6.4.4: VCO = 16 MHz / 1 * 10 = 160 MHz; R = 2 gives the system clock */
#define PLLCFGR_SRC_HSI16 2U
#define PLLCFGR_M_1 (0U << 4)
#define PLLCFGR_N (10U << 8)
#define PLLCFGR_R_2 (0U << 25)
#define PLLCFGR_REN (1U << 24)

#define CFGR_SW_MASK 3U
#define CFGR_SW_PLL 3U
#define CFGR_SWS_MASK (3U << 2)
#define CFGR_SWS_PLL (3U << 2)

/* 3.3.3, table 12: four wait states up to 80 MHz in voltage range 1, which is so after reset */
#define FLASH_ACR MCUC_REGISTER(0x40022000U)
#define ACR_LATENCY_4 4U
#define ACR_LATENCY_MASK 7U
#define ACR_PREFETCH_AND_CACHES ((1U << 8) | (1U << 9) | (1U << 10))

#define GPIOB 0x48000400U
enum { PIN_TX = 6, PIN_RX = 7, PINS_AF = 7 }; /* data sheet, alternate functions */
#define USART1 0x40013800U      /* its clock is APB2, undivided, after reset (6.4.28) */
enum { USART1_INTERRUPT = 37 }; /* 13.3, vector table */

static uint32_t clock_hz;

static int32_t start_pll(void)
{
    RCC_CR |= CR_HSION;
    if (!mcuc_stm32_await(&RCC_CR, CR_HSIRDY, CR_HSIRDY)) {
        return 0;
    }
    RCC_CR &= ~CR_PLLON; /* the factors can be written only while it is off */
    if (!mcuc_stm32_await(&RCC_CR, CR_PLLRDY, 0)) {
        return 0;
    }
    RCC_PLLCFGR = PLLCFGR_SRC_HSI16 | PLLCFGR_M_1 | PLLCFGR_N | PLLCFGR_R_2;
    RCC_CR |= CR_PLLON;
    RCC_PLLCFGR |= PLLCFGR_REN;
    return mcuc_stm32_await(&RCC_CR, CR_PLLRDY, CR_PLLRDY);
}

static int32_t switch_to_pll(void)
{
    uint32_t timing = ACR_PREFETCH_AND_CACHES | ACR_LATENCY_4;
    FLASH_ACR = timing;
    if (!mcuc_stm32_await(&FLASH_ACR, ACR_LATENCY_MASK, ACR_LATENCY_4)) {
        return 0;
    }
    RCC_CFGR = (RCC_CFGR & ~CFGR_SW_MASK) | CFGR_SW_PLL;
    return mcuc_stm32_await(&RCC_CFGR, CFGR_SWS_MASK, CFGR_SWS_PLL);
}

static void start_clocks(void)
{
    clock_hz = PLL_HZ;
    if (!start_pll() || !switch_to_pll()) {
        RCC_CFGR &= ~CFGR_SW_MASK; /* back to where it started */
        clock_hz = MSI_HZ;
    }
}

void mcuc_port_init(void)
{
    start_clocks();
    RCC_AHB2ENR |= AHB2ENR_GPIOBEN;
    RCC_APB1ENR1 |= APB1ENR1_TIM2EN;
    RCC_APB2ENR |= APB2ENR_USART1EN;
    (void)RCC_APB2ENR; /* 6.2.18: two cycles pass before the first access to what was enabled */
    mcuc_stm32_pin(GPIOB, PIN_TX, PINS_AF);
    mcuc_stm32_pin(GPIOB, PIN_RX, PINS_AF);
    mcuc_stm32_serial_start(USART1, USART1_INTERRUPT, clock_hz);
    mcuc_stm32_ticks_start();
    mcuc_arm_cycles_start();
}

uint32_t mcuc_port_clock_hz(void)
{
    return clock_hz;
}
