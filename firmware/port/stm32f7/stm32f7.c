/*
 * stm32f7.c: STM32F74x/75x with a 25 MHz crystal: 216 MHz, USART1 on PA9 and PB7.
 *
 * Section numbers are those of the reference manual RM0385. Register names are the
 * manual's. Every wait is bounded; what happens without a crystal is as in stm32f4.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../common/mcuc_arm.h"
#include "../stm32/stm32.h"
#include "mcuc_port.h"

enum { HSI_HZ = 16000000, PLL_HZ = 216000000 };

/* 5.3: reset and clock control */
#define RCC_CR MCUC_REGISTER(0x40023800U)
#define RCC_PLLCFGR MCUC_REGISTER(0x40023804U)
#define RCC_CFGR MCUC_REGISTER(0x40023808U)
#define RCC_AHB1ENR MCUC_REGISTER(0x40023830U)
#define RCC_APB1ENR MCUC_REGISTER(0x40023840U)
#define RCC_APB2ENR MCUC_REGISTER(0x40023844U)
#define CR_HSEON (1U << 16)
#define CR_HSERDY (1U << 17)
#define CR_PLLON (1U << 24)
#define CR_PLLRDY (1U << 25)
#define AHB1ENR_GPIOAEN (1U << 0)
#define AHB1ENR_GPIOBEN (1U << 1)
#define APB1ENR_TIM2EN (1U << 0)
#define APB1ENR_PWREN (1U << 28)
#define APB2ENR_USART1EN (1U << 4)

/* 5.3.2: VCO = 25 MHz / 25 * 432 = 432 MHz; system clock = VCO / 2; 48 MHz domain = VCO / 9 */
#define PLLCFGR_M (25U << 0)
#define PLLCFGR_N (432U << 6)
#define PLLCFGR_P_2 (0U << 16)
#define PLLCFGR_SRC_HSE (1U << 22)
#define PLLCFGR_Q (9U << 24)
#define PLLCFGR_RESERVED (2U << 28) /* as after reset */

/* 5.3.3: APB1 = 216 / 4 = 54 MHz (its limit), APB2 = 216 / 2 = 108 MHz (its limit) */
#define CFGR_SW_MASK 3U
#define CFGR_SW_PLL 2U
#define CFGR_SWS_MASK (3U << 2)
#define CFGR_SWS_PLL (2U << 2)
#define CFGR_PRESCALERS ((5U << 10) | (4U << 13))
#define CFGR_PRESCALER_MASK ((0xFU << 4) | (7U << 10) | (7U << 13))
enum { APB2_DIVIDER = 2 };

/* 4.1.4 and 4.4: 216 MHz need voltage scale 1, which is so after reset, and the over-drive */
#define PWR_CR1 MCUC_REGISTER(0x40007000U)
#define PWR_CSR1 MCUC_REGISTER(0x40007004U)
#define CR1_ODEN (1U << 16)
#define CR1_ODSWEN (1U << 17)
#define CSR1_ODRDY (1U << 16)
#define CSR1_ODSWRDY (1U << 17)

/* 3.3.2, table 7: seven wait states above 210 MHz at 2.7 to 3.6 V; 3.7.1: prefetch, ART */
#define FLASH_ACR MCUC_REGISTER(0x40023C00U)
#define ACR_LATENCY_7 7U
#define ACR_LATENCY_MASK 0xFU
#define ACR_PREFETCH_AND_ART ((1U << 8) | (1U << 9))

#define GPIOA 0x40020000U
#define GPIOB 0x40020400U
enum { PIN_TX = 9, PIN_RX = 7, PINS_AF = 7 }; /* PA9, PB7; data sheet, alternate functions */
#define USART1 0x40011000U
enum { USART1_INTERRUPT = 37 }; /* 10.1.2, vector table */

static uint32_t clock_hz;
static uint32_t apb2_hz;

/* 4.1.4: the over-drive is entered while the PLL starts, before anything runs from it. */
static int32_t start_pll(void)
{
    RCC_CR |= CR_HSEON;
    if (!mcuc_stm32_await(&RCC_CR, CR_HSERDY, CR_HSERDY)) {
        return 0;
    }
    RCC_CR &= ~CR_PLLON;
    RCC_PLLCFGR =
        PLLCFGR_M | PLLCFGR_N | PLLCFGR_P_2 | PLLCFGR_SRC_HSE | PLLCFGR_Q | PLLCFGR_RESERVED;
    RCC_CR |= CR_PLLON;
    PWR_CR1 |= CR1_ODEN;
    if (!mcuc_stm32_await(&PWR_CSR1, CSR1_ODRDY, CSR1_ODRDY)) {
        return 0;
    }
    PWR_CR1 |= CR1_ODSWEN;
    return mcuc_stm32_await(&PWR_CSR1, CSR1_ODSWRDY, CSR1_ODSWRDY) &&
           mcuc_stm32_await(&RCC_CR, CR_PLLRDY, CR_PLLRDY);
}

static int32_t switch_to_pll(void)
{
    uint32_t timing = ACR_PREFETCH_AND_ART | ACR_LATENCY_7;
    FLASH_ACR = timing;
    if (!mcuc_stm32_await(&FLASH_ACR, ACR_LATENCY_MASK, ACR_LATENCY_7)) {
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
    if (start_pll() && switch_to_pll()) {
        clock_hz = PLL_HZ;
        apb2_hz = PLL_HZ / APB2_DIVIDER;
        return;
    }
    RCC_CFGR &= ~(CFGR_SW_MASK | CFGR_PRESCALER_MASK); /* back to the RC oscillator */
    clock_hz = HSI_HZ;
    apb2_hz = HSI_HZ;
}

void mcuc_port_init(void)
{
    start_clocks();
    mcuc_arm_caches_start();
    RCC_AHB1ENR |= AHB1ENR_GPIOAEN | AHB1ENR_GPIOBEN;
    RCC_APB1ENR |= APB1ENR_TIM2EN;
    RCC_APB2ENR |= APB2ENR_USART1EN;
    (void)RCC_APB2ENR; /* as above: before the first access to what was enabled */
    mcuc_stm32_pin(GPIOA, PIN_TX, PINS_AF);
    mcuc_stm32_pin(GPIOB, PIN_RX, PINS_AF);
    mcuc_stm32_serial_start(USART1, USART1_INTERRUPT, apb2_hz);
    mcuc_stm32_ticks_start();
    mcuc_arm_cycles_start();
}

uint32_t mcuc_port_clock_hz(void)
{
    return clock_hz;
}
