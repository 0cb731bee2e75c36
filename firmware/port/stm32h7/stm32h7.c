/*
 * stm32h7.c: STM32H743/753 with an 8 MHz signal: 400 MHz, USART3 on PD8 and PD9.
 *
 * Section numbers are those of the reference manual RM0433. Register names are the
 * manual's. 400 MHz is the most at voltage scale 1 on every revision of the chip; 480 MHz
 * would need scale 0, which revision Y does not have. Every wait is bounded; where a
 * clock does not come up the chip stays on its 64 MHz RC oscillator.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../common/mcuc_arm.h"
#include "../stm32/stm32.h"
#include "mcuc_port.h"

enum { HSI_HZ = 64000000, PLL_HZ = 400000000 };

/* 8.7: reset and clock control */
#define RCC_CR MCUC_REGISTER(0x58024400U)
#define RCC_CFGR MCUC_REGISTER(0x58024410U)
#define RCC_D1CFGR MCUC_REGISTER(0x58024418U)
#define RCC_D2CFGR MCUC_REGISTER(0x5802441CU)
#define RCC_D3CFGR MCUC_REGISTER(0x58024420U)
#define RCC_PLLCKSELR MCUC_REGISTER(0x58024428U)
#define RCC_PLLCFGR MCUC_REGISTER(0x5802442CU)
#define RCC_PLL1DIVR MCUC_REGISTER(0x58024430U)
#define RCC_AHB2ENR MCUC_REGISTER(0x580244DCU)
#define RCC_AHB4ENR MCUC_REGISTER(0x580244E0U)
#define RCC_APB1LENR MCUC_REGISTER(0x580244E8U)
#define CR_HSEON (1U << 16)
#define CR_HSERDY (1U << 17)
#define CR_HSEBYP (1U << 18)
#define CR_PLL1ON (1U << 24)
#define CR_PLL1RDY (1U << 25)
#define AHB2ENR_SRAM123EN (7U << 29)
#define AHB4ENR_GPIODEN (1U << 3)
#define APB1LENR_TIM2EN (1U << 0)
#define APB1LENR_USART3EN (1U << 18)

/* 8.7.11 to 8.7.13: 8 MHz / 2 = 4 MHz; VCO = 4 MHz * 200 = 800 MHz (wide range); P = 2 */
#define PLLCKSELR_SRC_MASK 3U
#define PLLCKSELR_SRC_HSE 2U
#define PLLCKSELR_DIVM1_MASK (0x3FU << 4)
#define PLLCKSELR_DIVM1 (2U << 4)
#define PLLCFGR_PLL1_MASK (0xFU | (7U << 16))
#define PLLCFGR_RGE_4_TO_8_MHZ (2U << 2)
#define PLLCFGR_DIVP1EN (1U << 16)
#define PLL1DIVR_FACTORS ((200U - 1U) | ((2U - 1U) << 9) | ((2U - 1U) << 16) | ((2U - 1U) << 24))

/* 8.7.7 to 8.7.9: AXI, AHB = 400 / 2 = 200 MHz; every APB = 200 / 2 = 100 MHz (their limits) */
#define D1CFGR_DIVIDERS ((8U << 0) | (4U << 4))
#define D1CFGR_MASK (0xFU | (7U << 4) | (0xFU << 8))
#define D2CFGR_DIVIDERS ((4U << 4) | (4U << 8))
#define D2CFGR_MASK ((7U << 4) | (7U << 8))
#define D3CFGR_DIVIDERS (4U << 4)
#define D3CFGR_MASK (7U << 4)
enum { APB1_DIVIDER = 4 };

#define CFGR_SW_MASK 7U
#define CFGR_SW_PLL1 3U
#define CFGR_SWS_MASK (7U << 3)
#define CFGR_SWS_PLL1 (3U << 3)

/* 6.8: the supply is fixed once after power-on (here: the LDO), then the voltage scale */
#define PWR_CSR1 MCUC_REGISTER(0x58024804U)
#define PWR_CR3 MCUC_REGISTER(0x5802480CU)
#define PWR_D3CR MCUC_REGISTER(0x58024818U)
#define CR3_SUPPLY_MASK 7U
#define CR3_LDOEN (1U << 1)
#define CSR1_ACTVOSRDY (1U << 13)
#define D3CR_VOSRDY (1U << 13)
#define D3CR_VOS_SCALE_1 (3U << 14)

/* 4.3.8, table 17: 185 to 210 MHz at scale 1 take two wait states and WRHIGHFREQ 2 */
#define FLASH_ACR MCUC_REGISTER(0x52002000U)
#define ACR_TIMING ((2U << 0) | (2U << 4))
#define ACR_TIMING_MASK (0xFU | (3U << 4))

#define GPIOD 0x58020C00U
enum { PIN_TX = 8, PIN_RX = 9, PINS_AF = 7 }; /* data sheet, alternate functions */
#define USART3 0x40004800U                    /* its kernel clock is APB1 after reset (8.7.20) */
enum { USART3_INTERRUPT = 39 };               /* 19.1.2, vector table */

static uint32_t clock_hz;
static uint32_t apb1_hz;

static int32_t start_supply(void)
{
    PWR_CR3 = (PWR_CR3 & ~CR3_SUPPLY_MASK) | CR3_LDOEN;
    if (!mcuc_stm32_await(&PWR_CSR1, CSR1_ACTVOSRDY, CSR1_ACTVOSRDY)) {
        return 0;
    }
    PWR_D3CR |= D3CR_VOS_SCALE_1;
    return mcuc_stm32_await(&PWR_D3CR, D3CR_VOSRDY, D3CR_VOSRDY);
}

static int32_t start_pll(void)
{
    RCC_CR |= CR_HSEBYP; /* before the oscillator is on */
    RCC_CR |= CR_HSEON;
    if (!mcuc_stm32_await(&RCC_CR, CR_HSERDY, CR_HSERDY)) {
        return 0;
    }
    RCC_CR &= ~CR_PLL1ON; /* the factors can be written only while it is off */
    RCC_PLLCKSELR = (RCC_PLLCKSELR & ~(PLLCKSELR_SRC_MASK | PLLCKSELR_DIVM1_MASK)) |
                    PLLCKSELR_SRC_HSE | PLLCKSELR_DIVM1;
    RCC_PLLCFGR = (RCC_PLLCFGR & ~PLLCFGR_PLL1_MASK) | PLLCFGR_RGE_4_TO_8_MHZ | PLLCFGR_DIVP1EN;
    RCC_PLL1DIVR = PLL1DIVR_FACTORS;
    RCC_CR |= CR_PLL1ON;
    return mcuc_stm32_await(&RCC_CR, CR_PLL1RDY, CR_PLL1RDY);
}

/* Dividers and wait states first, and only then the faster clock. */
static int32_t switch_to_pll(void)
{
    FLASH_ACR = (FLASH_ACR & ~ACR_TIMING_MASK) | ACR_TIMING;
    if (!mcuc_stm32_await(&FLASH_ACR, ACR_TIMING_MASK, ACR_TIMING)) {
        return 0;
    }
    RCC_D1CFGR = (RCC_D1CFGR & ~D1CFGR_MASK) | D1CFGR_DIVIDERS;
    RCC_D2CFGR = (RCC_D2CFGR & ~D2CFGR_MASK) | D2CFGR_DIVIDERS;
    RCC_D3CFGR = (RCC_D3CFGR & ~D3CFGR_MASK) | D3CFGR_DIVIDERS;
    RCC_CFGR = (RCC_CFGR & ~CFGR_SW_MASK) | CFGR_SW_PLL1;
    return mcuc_stm32_await(&RCC_CFGR, CFGR_SWS_MASK, CFGR_SWS_PLL1);
}

static void start_clocks(void)
{
    if (start_supply() && start_pll() && switch_to_pll()) {
        clock_hz = PLL_HZ;
        apb1_hz = PLL_HZ / APB1_DIVIDER;
        return;
    }
    RCC_CFGR &= ~CFGR_SW_MASK; /* back to the RC oscillator */
    RCC_D1CFGR &= ~D1CFGR_MASK;
    RCC_D2CFGR &= ~D2CFGR_MASK;
    RCC_D3CFGR &= ~D3CFGR_MASK;
    clock_hz = HSI_HZ;
    apb1_hz = HSI_HZ;
}

void mcuc_port_init(void)
{
    start_clocks();
    mcuc_arm_caches_start();
    RCC_AHB2ENR |= AHB2ENR_SRAM123EN; /* an arena may be there; variables and stack may not */
    RCC_AHB4ENR |= AHB4ENR_GPIODEN;
    RCC_APB1LENR |= APB1LENR_TIM2EN | APB1LENR_USART3EN;
    (void)RCC_APB1LENR; /* 8.5.11: a read back before the first access to what was enabled */
    mcuc_stm32_pin(GPIOD, PIN_TX, PINS_AF);
    mcuc_stm32_pin(GPIOD, PIN_RX, PINS_AF);
    mcuc_stm32_serial_start(USART3, USART3_INTERRUPT, apb1_hz);
    mcuc_stm32_ticks_start();
    mcuc_arm_cycles_start();
}

uint32_t mcuc_port_clock_hz(void)
{
    return clock_hz;
}
