/*
 * mcuc_dsp.h: what the kernels for CPUs with the DSP extension share (Cortex-M4, M7, M33).
 *
 * Requantisation. A sum acc, a multiplier m and a right shift n >= 1 become
 *
 *     (m * 2 acc, rounded, / 2^32 + c + sign) >> n, saturated to int8
 *     c = (2 * zero point + 1) << (n - 1), sign = -1 where acc is negative, else 0
 *
 * which is TensorFlow Lite's arithmetic with its two roundings, exactly, while |acc| < 2^30: the
 * zero point and the half of the second rounding are in c, and what that rounding does to negative
 * numbers is in the sign, for which that of acc serves (they differ where the first rounding gives
 * 0, which n >= 1 shifts to the same). Where the zero point is -128 the sign does not matter: what
 * it changes is clamped.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DSP_H
#define MCUC_DSP_H

#include <string.h>

#include "mcuc.h"

#if defined(__arm__) && !defined(__ARM_FEATURE_DSP)
#error "this kernel needs the DSP extension, which Cortex-M4, M7 and M33 have; was -mcpu forgotten?"
#endif

/* Four bytes from anywhere. */
static inline uint32_t mcuc_load4(const int8_t *at)
{
    uint32_t word;
    (void)memcpy(&word, at, sizeof word);
    return word;
}

/* A few bytes. A compiler that sees such a loop calls memcpy, which takes longer and has to be there. */
static inline void mcuc_copy_few(int8_t *to, const int8_t *from, int32_t count)
{
    for (; count > 0; count--) {
        int32_t byte = *from++;
        __asm__ volatile("" : "+r"(byte));
        *to++ = (int8_t)byte;
    }
}

/* Bytes 0 and 2 as two int16. */
static inline uint32_t mcuc_widen_even(uint32_t bytes)
{
    uint32_t result;
    __asm__("sxtb16 %0, %1" : "=r"(result) : "r"(bytes));
    return result;
}

/* Bytes 1 and 3 as two int16. */
static inline uint32_t mcuc_widen_odd(uint32_t bytes)
{
    uint32_t result;
    __asm__("sxtb16 %0, %1, ror #8" : "=r"(result) : "r"(bytes));
    return result;
}

/* The low int16 of both, that of `low` first. */
static inline uint32_t mcuc_pack_low(uint32_t low, uint32_t high)
{
    uint32_t result;
    __asm__("pkhbt %0, %1, %2, lsl #16" : "=r"(result) : "r"(low), "r"(high));
    return result;
}

/* The high int16 of both, that of `low` first. */
static inline uint32_t mcuc_pack_high(uint32_t low, uint32_t high)
{
    uint32_t result;
    __asm__("pkhtb %0, %1, %2, asr #16" : "=r"(result) : "r"(high), "r"(low));
    return result;
}

/* sum + a * b over the two int16 of each; wraps. */
static inline int32_t mcuc_multiply_pairs(uint32_t a, uint32_t b, int32_t sum)
{
    int32_t result;
    __asm__("smlad %0, %1, %2, %3" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
    return result;
}

/* sums + bytes 0 and 2, as two int16. */
static inline uint32_t mcuc_add_even(uint32_t sums, uint32_t bytes)
{
    uint32_t result;
    __asm__("sxtab16 %0, %1, %2" : "=r"(result) : "r"(sums), "r"(bytes));
    return result;
}

/* sums + bytes 1 and 3, as two int16. */
static inline uint32_t mcuc_add_odd(uint32_t sums, uint32_t bytes)
{
    uint32_t result;
    __asm__("sxtab16 %0, %1, %2, ror #8" : "=r"(result) : "r"(sums), "r"(bytes));
    return result;
}

/* What a sum times two becomes, see above, with the sign. */
static inline int8_t mcuc_requantize_doubled(int32_t doubled, int32_t multiplier, int32_t constant,
                                             int32_t shift)
{
    int32_t result;
    constant += doubled >> 31;
    __asm__("smmlar %0, %1, %2, %3" : "=r"(result) : "r"(doubled), "r"(multiplier), "r"(constant));
    result >>= shift;
    __asm__("ssat %0, #8, %0" : "+r"(result));
    return (int8_t)result;
}

#endif
