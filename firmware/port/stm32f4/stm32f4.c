/*
 * stm32f4.c: STM32F405/407 with an 8 MHz crystal: 168 MHz, USART2 on PA2 and PA3.
 *
 * Section numbers are those of the reference manual RM0090; its RCC chapter for
 * the STM32F405/407 is chapter 7. Register names are the manual's.
 *
 * Every wait for a clock is bounded. Where the crystal or the PLL does not come
 * up (there is none, or an emulator has no clock tree at all) the chip stays on its
 * 16 MHz RC oscillator, and the baud rate is computed from the clock that is there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../common/mcuc_arm.h"
#include "mcuc_port.h"

enum { BAUD = 115200, HSI_HZ = 16000000, PLL_HZ = 168000000 };

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* 7.3: reset and clock control */
#define RCC_CR REGISTER(0x40023800U)
#define RCC_PLLCFGR REGISTER(0x40023804U)
#define RCC_CFGR REGISTER(0x40023808U)
#define RCC_AHB1ENR REGISTER(0x40023830U)
#define RCC_APB1ENR REGISTER(0x40023840U)
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

/* 7.3.3: AHB = 168 MHz, APB1 = 168 / 4 = 42 MHz (its limit), APB2 = 168 / 2 = 84 MHz (its limit) */
#define CFGR_SW_MASK 3U
#define CFGR_SW_PLL 2U
#define CFGR_SWS_MASK (3U << 2)
#define CFGR_SWS_PLL (2U << 2)
#define CFGR_PRESCALERS ((5U << 10) | (4U << 13))
#define CFGR_PRESCALER_MASK ((0xFU << 4) | (7U << 10) | (7U << 13))
enum { APB1_DIVIDER = 4 };

/* 5.4.1: voltage scale 1, which 168 MHz needs (5.1.3) */
#define PWR_CR REGISTER(0x40007000U)
#define PWR_CR_VOS (1U << 14)

/* 3.9.1 and 3.5.1: five wait states above 150 MHz at 2.7 to 3.6 V; prefetch and both caches */
#define FLASH_ACR REGISTER(0x40023C00U)
#define ACR_LATENCY_5 5U
#define ACR_LATENCY_MASK 7U
#define ACR_PREFETCH_AND_CACHES ((1U << 8) | (1U << 9) | (1U << 10))

/* 8.4: port A; two bits a pin in MODER, OSPEEDR and PUPDR, four in AFRL */
#define GPIOA_MODER REGISTER(0x40020000U)
#define GPIOA_OSPEEDR REGISTER(0x40020008U)
#define GPIOA_PUPDR REGISTER(0x4002000CU)
#define GPIOA_AFRL REGISTER(0x40020020U)
#define PINS_2_3(two_bits) (((two_bits) << 4) | ((two_bits) << 6))
#define MODER_ALTERNATE 2U
#define OSPEEDR_MEDIUM 1U
#define PUPDR_UP 1U /* an unconnected receive pin stays idle */
#define AFRL_PINS_2_3_AF7 ((7U << 8) | (7U << 12))
#define AFRL_PINS_2_3_MASK ((0xFU << 8) | (0xFU << 12))

/* 30.6: USART2, on APB1 */
#define USART2_SR REGISTER(0x40004400U)
#define USART2_DR REGISTER(0x40004404U)
#define USART2_BRR REGISTER(0x40004408U)
#define USART2_CR1 REGISTER(0x4000440CU)
#define SR_RXNE (1U << 5)
#define SR_TXE (1U << 7)
#define CR1_RE (1U << 2)
#define CR1_TE (1U << 3)
#define CR1_RXNEIE (1U << 5)
#define CR1_UE (1U << 13)
enum { USART2_INTERRUPT = 38 }; /* 12.2, vector table */

/* 18.4: TIM2, a 32-bit timer on APB1 */
#define TIM2_CR1 REGISTER(0x40000000U)
#define TIM2_EGR REGISTER(0x40000014U)
#define TIM2_CNT REGISTER(0x40000024U)
#define TIM2_PSC REGISTER(0x40000028U)
#define TIM2_ARR REGISTER(0x4000002CU)
#define TIM_CR1_CEN 1U
#define TIM_EGR_UG 1U

static uint32_t clock_hz;
static uint32_t apb1_hz;

/*
 * Waits until the masked bits have the value; 0 when they never do. The crystal
 * takes about 2 ms (data sheet, HSE characteristics); this waits over 20 ms.
 */
static int32_t await(const volatile uint32_t *address, uint32_t mask, uint32_t value)
{
    for (uint32_t i = 0; i < 50000; i++) {
        if ((*address & mask) == value) {
            return 1;
        }
    }
    return 0;
}

/* Crystal and PLL up and stable; nothing runs from them yet. */
static int32_t start_pll(void)
{
    RCC_CR |= CR_HSEON;
    if (!await(&RCC_CR, CR_HSERDY, CR_HSERDY)) {
        return 0;
    }
    RCC_CR &= ~CR_PLLON; /* 7.3.2: the factors can be written only while it is off */
    RCC_PLLCFGR = PLLCFGR_M | PLLCFGR_N | PLLCFGR_P_2 | PLLCFGR_SRC_HSE | PLLCFGR_Q;
    RCC_CR |= CR_PLLON;
    return await(&RCC_CR, CR_PLLRDY, CR_PLLRDY);
}

/* 3.5.1: more wait states first, read back, and only then the faster clock. */
static int32_t switch_to_pll(void)
{
    uint32_t timing = ACR_PREFETCH_AND_CACHES | ACR_LATENCY_5;
    FLASH_ACR = timing;
    if (!await(&FLASH_ACR, ACR_LATENCY_MASK, ACR_LATENCY_5)) {
        return 0;
    }
    RCC_CFGR = (RCC_CFGR & ~CFGR_PRESCALER_MASK) | CFGR_PRESCALERS;
    RCC_CFGR = (RCC_CFGR & ~CFGR_SW_MASK) | CFGR_SW_PLL;
    return await(&RCC_CFGR, CFGR_SWS_MASK, CFGR_SWS_PLL);
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

static void start_serial(void)
{
    GPIOA_AFRL = (GPIOA_AFRL & ~AFRL_PINS_2_3_MASK) | AFRL_PINS_2_3_AF7;
    GPIOA_OSPEEDR = (GPIOA_OSPEEDR & ~PINS_2_3(3U)) | PINS_2_3(OSPEEDR_MEDIUM);
    GPIOA_PUPDR = (GPIOA_PUPDR & ~PINS_2_3(3U)) | PINS_2_3(PUPDR_UP);
    GPIOA_MODER = (GPIOA_MODER & ~PINS_2_3(3U)) | PINS_2_3(MODER_ALTERNATE);

    /* 30.3.4: with 16 samples a bit, BRR is the clock over the baud rate, to the nearest */
    USART2_BRR = (apb1_hz + BAUD / 2) / BAUD;
    USART2_CR1 = CR1_UE | CR1_TE | CR1_RE | CR1_RXNEIE;
    mcuc_arm_wake_start(USART2_INTERRUPT);
}

/* Counts at the clock of APB1's timers, twice APB1 where APB1 is divided (7.2). */
static void start_ticks(void)
{
    TIM2_PSC = 0;
    TIM2_ARR = UINT32_MAX;
    TIM2_EGR = TIM_EGR_UG; /* takes PSC and ARR over */
    TIM2_CR1 = TIM_CR1_CEN;
}

void mcuc_port_init(void)
{
    start_clocks();
    RCC_AHB1ENR |= AHB1ENR_GPIOAEN;
    RCC_APB1ENR |= APB1ENR_USART2EN | APB1ENR_TIM2EN;
    (void)RCC_AHB1ENR; /* as above: before the first access to what was enabled */
    (void)RCC_APB1ENR;
    start_serial();
    start_ticks();
    mcuc_arm_cycles_start();
}

uint32_t mcuc_port_clock_hz(void)
{
    return clock_hz;
}

void mcuc_port_write(const char *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        while ((USART2_SR & SR_TXE) == 0) {
        }
        USART2_DR = (uint8_t)bytes[i];
    }
}

/* Reading SR, then DR also clears an overrun; the line it spoilt fails its CRC (30.6.1). */
int32_t mcuc_port_read(void)
{
    while ((USART2_SR & SR_RXNE) == 0) {
        mcuc_arm_sleep(); /* not if a byte came meanwhile: its interrupt is pending */
    }
    int32_t byte = (int32_t)(USART2_DR & 0xFFU);
    mcuc_arm_wake_clear(USART2_INTERRUPT);
    return byte;
}

uint32_t mcuc_port_ticks(void)
{
    return TIM2_CNT;
}
