/*
 * mcuc_fully_connected_s8__dsp: see mcuc/fully_connected_s8__dsp.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/fully_connected_s8__dsp.h"

#include "mcuc_dsp.h"

enum { OUTPUTS = 4, FOURS_A_ROUND = 8, FOUR_CODE_BYTES = 64 };

/* clang-format off */
/*
 * Four terms of four outputs, always 64 bytes of code (hence "ldr.w"). r0 walks along the weights, r1 along the inputs; sums a..d are in r4
 * to r7, those of b and d with 256 times their own and a's or c's.
 */
#define FOUR                            \
    "ldm r0!, {r8-r11}\n"               \
    "ldr.w r3, [r1], #4\n"                \
    "sxtb16 r2, r3\n"                   \
    "sxtb16 r3, r3, ror #8\n"           \
    "smlad r5, r2, r8, r5\n"            \
    "sxtb16 r8, r8\n"                   \
    "smlad r7, r2, r9, r7\n"            \
    "sxtb16 r9, r9\n"                   \
    "smlad r5, r3, r10, r5\n"           \
    "sxtb16 r10, r10\n"                 \
    "smlad r7, r3, r11, r7\n"           \
    "sxtb16 r11, r11\n"                 \
    "smlad r4, r2, r8, r4\n"            \
    "smlad r6, r2, r9, r6\n"            \
    "smlad r4, r3, r10, r4\n"           \
    "smlad r6, r3, r11, r6\n"

/* Output i from its doubled sum x; r8, r9, r10 are multiplier, constant, shift. */
#define OUTPUT(i, x)                                \
    "add r11, r9, " x ", asr #31\n"                 \
    "smmlar " x ", " x ", r8, r11\n"                \
    "asr " x ", " x ", r10\n"                       \
    "ssat " x ", #8, " x "\n"                       \
    "strb " x ", [r2, #" i "]\n"

/*
 * Outputs four at a time, from `bias` to `bias_end`. `entry` is where the first round of eight
 * times four terms is entered, in bytes from two bytes before it.
 */
__attribute__((naked, noinline, noipa)) static void
run_outputs(const int8_t *inputs __attribute__((unused)),
            const uint32_t *filter __attribute__((unused)),
            const int32_t *bias __attribute__((unused)), int8_t *output __attribute__((unused)),
            const int32_t *scaling __attribute__((unused)), int32_t entry __attribute__((unused)),
            const int32_t *bias_end __attribute__((unused)),
            const int8_t *inputs_end __attribute__((unused)))
{
    /* sp: inputs, filter, bias, output, r4..r11, lr, then the arguments from scaling on. */
    __asm__ volatile(
        "push {r0-r11, lr}\n"
        "mov r0, r1\n"
        "mov r12, r2\n"
        "ldr lr, [sp, #64]\n"
        "1:\n"
        "ldr r1, [sp, #0]\n"
        "ldm r12!, {r4-r7}\n"
        "ldr r2, [sp, #56]\n"
        "add pc, r2\n"
        "2:\n"
        FOUR FOUR FOUR FOUR FOUR FOUR FOUR FOUR
        "cmp r1, lr\n"
        "bne 2b\n"
        "ldr r8, [sp, #52]\n"
        "ldr r2, [sp, #12]\n"
        "ldm r8, {r8-r10}\n"
        "sub r5, r5, r4\n"
        "sub r7, r7, r6\n"
        "lsl r4, r4, #1\n"
        "asr r5, r5, #7\n"
        "lsl r6, r6, #1\n"
        "asr r7, r7, #7\n"
        OUTPUT("0", "r4")
        OUTPUT("1", "r5")
        OUTPUT("2", "r6")
        OUTPUT("3", "r7")
        "add r2, r2, #4\n"
        "str r2, [sp, #12]\n"
        "ldr r2, [sp, #60]\n"
        "cmp r12, r2\n"
        "bne 1b\n"
        "add sp, #16\n"
        "pop {r4-r11, pc}\n");
}
/* clang-format on */

void mcuc_fully_connected_s8__dsp(const mcuc_fully_connected_s8__dsp_params *p, const int8_t *input,
                                  int8_t *output)
{
    const int32_t fours = (p->in_channels + 3) / 4;
    const int32_t entry = ((0 - fours) & (FOURS_A_ROUND - 1)) * FOUR_CODE_BYTES - 2;
    const int32_t rest = p->out_channels % OUTPUTS;
    const int32_t whole = p->out_channels - rest;

    for (int32_t row = 0; row < p->rows; row++) {
        const int8_t *end = input + 4 * fours;
        if (whole > 0) {
            run_outputs(input, p->filter, p->bias, output, &p->multiplier, entry, p->bias + whole,
                        end);
        }
        if (rest > 0) {
            int8_t last[OUTPUTS];
            run_outputs(input, p->filter + whole * fours, p->bias + whole, last, &p->multiplier,
                        entry, p->bias + whole + OUTPUTS, end);
            mcuc_copy_few(output + whole, last, rest);
        }
        input += p->in_channels;
        output += p->out_channels;
    }
}
