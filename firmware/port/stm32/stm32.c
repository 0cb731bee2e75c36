/*
 * stm32.c: waiting, pins, TIM2; see stm32.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stm32.h"

#include "mcuc_port.h"

#define GPIO_MODER(base) MCUC_REGISTER((base) + 0x00U)
#define GPIO_OSPEEDR(base) MCUC_REGISTER((base) + 0x08U)
#define GPIO_PUPDR(base) MCUC_REGISTER((base) + 0x0CU)
#define GPIO_AFR(base, half) MCUC_REGISTER((base) + 0x20U + 4U * (half)) /* AFRL, AFRH */
#define MODER_ALTERNATE 2U
#define OSPEEDR_MEDIUM 1U
#define PUPDR_UP 1U

#define TIM2_CR1 MCUC_REGISTER(0x40000000U)
#define TIM2_EGR MCUC_REGISTER(0x40000014U)
#define TIM2_CNT MCUC_REGISTER(0x40000024U)
#define TIM2_PSC MCUC_REGISTER(0x40000028U)
#define TIM2_ARR MCUC_REGISTER(0x4000002CU)
#define TIM_CR1_CEN 1U
#define TIM_EGR_UG 1U

int32_t mcuc_stm32_await(const volatile uint32_t *address, uint32_t mask, uint32_t value)
{
    for (uint32_t i = 0; i < 50000; i++) {
        if ((*address & mask) == value) {
            return 1;
        }
    }
    return 0;
}

/* The value in a field of `bits` bits, of which a register has one a pin. */
static uint32_t with_field(uint32_t all, uint32_t pin, uint32_t bits, uint32_t value)
{
    uint32_t mask = ((1U << bits) - 1U) << (pin * bits);
    return (all & ~mask) | (value << (pin * bits));
}

void mcuc_stm32_pin(uintptr_t gpio, uint32_t pin, uint32_t alternate_function)
{
    uint32_t half = pin / 8;
    GPIO_AFR(gpio, half) = with_field(GPIO_AFR(gpio, half), pin % 8, 4, alternate_function);
    GPIO_OSPEEDR(gpio) = with_field(GPIO_OSPEEDR(gpio), pin, 2, OSPEEDR_MEDIUM);
    GPIO_PUPDR(gpio) = with_field(GPIO_PUPDR(gpio), pin, 2, PUPDR_UP);
    GPIO_MODER(gpio) = with_field(GPIO_MODER(gpio), pin, 2, MODER_ALTERNATE);
}

void mcuc_stm32_ticks_start(void)
{
    TIM2_PSC = 0;
    TIM2_ARR = UINT32_MAX;
    TIM2_EGR = TIM_EGR_UG; /* takes PSC and ARR over */
    TIM2_CR1 = TIM_CR1_CEN;
}

uint32_t mcuc_port_ticks(void)
{
    return TIM2_CNT;
}
