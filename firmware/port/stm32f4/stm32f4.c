/*
 * stm32f4.c: STM32F405/407 and F446 with 8 MHz from outside: 168 MHz, USART2 on PA2 and PA3.
 *
 * Section numbers are those of the reference manual RM0090; its RCC chapter for
 * the STM32F405/407 is chapter 7. The F446 (RM0390) has the same registers at the same
 * addresses, and reaches 168 MHz without its over-drive. Register names are the manuals'.
 *
 * Every wait for a clock is bounded. Where the crystal or the PLL does not come
 * up (there is none, or an emulator has no clock tree at all) the chip stays on its
 * 16 MHz RC oscillator, and the baud rate is computed from the clock that is there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../common/mcuc_arm.h"
#include "../stm32/stm32.h"
#include "mcuc_port.h"
#include "stm32f4.h"

enum { HSI_HZ = 16000000, PLL_HZ = 168000000 };

/* 7.3: reset and clock control */
#define RCC_CR MCUC_REGISTER(0x40023800U)
#define RCC_PLLCFGR MCUC_REGISTER(0x40023804U)
#define RCC_CFGR MCUC_REGISTER(0x40023808U)
#define RCC_AHB1ENR MCUC_REGISTER(0x40023830U)
#define RCC_APB1ENR MCUC_REGISTER(0x40023840U)
#define CR_HSEON (1U << 16)
#define CR_HSERDY (1U << 17)
#define CR_PLLON (1U << 24)
#define CR_PLLRDY (1U << 25)
#define AHB1ENR_GPIOAEN (1U << 0)
#define APB1ENR_TIM2EN (1U << 0)
#define APB1ENR_USART2EN (1U << 17)
#define APB1ENR_PWREN (1U << 28)

/* 7.3.2: VCO = 8 MHz / 8 * 336 = 336 MHz; system clock = VCO / 2; 48 MHz domain = VCO / 7 */
#define PLLCFGR_M (8U << 0)
#define PLLCFGR_N (336U << 6)
#define PLLCFGR_P_2 (0U << 16)
#define PLLCFGR_SRC_HSE (1U << 22)
#define PLLCFGR_Q (7U << 24)
#define PLLCFGR_UPPER \
    (2U << 28) /* reserved and so after reset; on the F446 it is R, another output */

/* 7.3.3: AHB = 168 MHz, APB1 = 168 / 4 = 42 MHz (its limit), APB2 = 168 / 2 = 84 MHz (its limit) */
#define CFGR_SW_MASK 3U
#define CFGR_SW_PLL 2U
#define CFGR_SWS_MASK (3U << 2)
#define CFGR_SWS_PLL (2U << 2)
#define CFGR_PRESCALERS ((5U << 10) | (4U << 13))
#define CFGR_PRESCALER_MASK ((0xFU << 4) | (7U << 10) | (7U << 13))
enum { APB1_DIVIDER = 4 };

/* 5.4.1: voltage scale 1, which 168 MHz needs (5.1.3) */
#define PWR_CR MCUC_REGISTER(0x40007000U)
#define PWR_CR_VOS (1U << 14)

/* 3.9.1 and 3.5.1: five wait states above 150 MHz at 2.7 to 3.6 V; prefetch and both caches */
#define FLASH_ACR MCUC_REGISTER(0x40023C00U)
#define ACR_LATENCY_5 5U
#define ACR_LATENCY_MASK 7U
#define ACR_PREFETCH_AND_CACHES ((1U << 8) | (1U << 9) | (1U << 10))

#define GPIOA 0x40020000U
enum { PIN_TX = 2, PIN_RX = 3, PINS_AF = 7 }; /* data sheets, alternate functions */
#define USART2 0x40004400U
enum { USART2_INTERRUPT = 38 }; /* 12.2, vector table */

static uint32_t clock_hz;
static uint32_t apb1_hz;

/* External clock and PLL up and stable; nothing runs from them yet. */
static int32_t start_pll(void)
{
    RCC_CR |= mcuc_stm32f4_cr_bypass; /* 7.3.1: before the oscillator is on */
    RCC_CR |= CR_HSEON;
    if (!mcuc_stm32_await(&RCC_CR, CR_HSERDY, CR_HSERDY)) {
        return 0;
    }
    RCC_CR &= ~CR_PLLON; /* 7.3.2: the factors can be written only while it is off */
    RCC_PLLCFGR = PLLCFGR_M | PLLCFGR_N | PLLCFGR_P_2 | PLLCFGR_SRC_HSE | PLLCFGR_Q | PLLCFGR_UPPER;
    RCC_CR |= CR_PLLON;
    return mcuc_stm32_await(&RCC_CR, CR_PLLRDY, CR_PLLRDY);
}

/* 3.5.1: more wait states first, read back, and only then the faster clock. */
static int32_t switch_to_pll(void)
{
    uint32_t timing = ACR_PREFETCH_AND_CACHES | ACR_LATENCY_5;
    FLASH_ACR = timing;
    if (!mcuc_stm32_await(&FLASH_ACR, ACR_LATENCY_MASK, ACR_LATENCY_5)) {
        return 0;
    }
    RCC_CFGR = (RCC_CFGR & ~CFGR_PRESCALER_MASK) | CFGR_PRESCALERS;
    RCC_CFGR = (RCC_CFGR & ~CFGR_SW_MASK) | CFGR_SW_PLL;
    return mcuc_stm32_await(&RCC_CFGR, CFGR_SWS_MASK, CFGR_SWS_PLL);
}

static void start_clocks(void)
{
    RCC_APB1ENR |= APB1ENR_PWREN;
    (void)RCC_APB1ENR; /* the clock arrives two cycles after the write; a read takes as long */
    PWR_CR |= PWR_CR_VOS;
    if (start_pll() && switch_to_pll()) {
        clock_hz = PLL_HZ;
        apb1_hz = PLL_HZ / APB1_DIVIDER;
        return;
    }
    RCC_CFGR &= ~(CFGR_SW_MASK | CFGR_PRESCALER_MASK); /* back to the RC oscillator */
    clock_hz = HSI_HZ;
    apb1_hz = HSI_HZ;
}

void mcuc_port_init(void)
{
    start_clocks();
    RCC_AHB1ENR |= AHB1ENR_GPIOAEN;
    RCC_APB1ENR |= APB1ENR_USART2EN | APB1ENR_TIM2EN;
    (void)RCC_AHB1ENR; /* as above: before the first access to what was enabled */
    (void)RCC_APB1ENR;
    mcuc_stm32_pin(GPIOA, PIN_TX, PINS_AF);
    mcuc_stm32_pin(GPIOA, PIN_RX, PINS_AF);
    mcuc_stm32_serial_start(USART2, USART2_INTERRUPT, apb1_hz);
    mcuc_stm32_ticks_start(); /* at twice APB1 where APB1 is divided (7.2) */
    mcuc_arm_cycles_start();
}

uint32_t mcuc_port_clock_hz(void)
{
    return clock_hz;
}
