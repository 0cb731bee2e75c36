/*
 * The forms of mcuc_dsp.h against TensorFlow Lite's two roundings, on at least as many tuples as
 * asked for: random parameters, each with runs of consecutive sums around ties and at random.
 * Prints how many tuples were compared and how many differ, a line a form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DOUBLED, CLAMPED, CLAMPED_256, WITHOUT_SIGN, FORMS };

static const char *const names[FORMS] = {"doubled", "clamped", "clamped_256", "without_sign"};

static uint64_t state = 88172645463325252u;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int64_t between(int64_t low, int64_t high)
{
    return low + (int64_t)(next_random() % (uint64_t)(high - low + 1));
}

static int32_t clamp(int64_t x)
{
    return (int32_t)(x < -128 ? -128 : x > 127 ? 127 : x);
}

/* TensorFlow Lite: round to nearest, ties up, by 2^31; then ties away from zero, by 2^n. */
static int64_t two_roundings(int64_t sum, int64_t multiplier, int32_t n)
{
    int64_t high = (sum * multiplier + ((int64_t)1 << 30)) >> 31;
    int64_t half = (int64_t)1 << (n - 1);
    return high >= 0 ? (high + half) >> n : -((-high + half) >> n);
}

/* What the instructions compute; the results must fit 32 bits. */
static int64_t smmla(int64_t a, int64_t b, int64_t c)
{
    return (a * b + c * 4294967296) >> 32;
}

static int64_t smmlar(int64_t a, int64_t b, int64_t c)
{
    return (a * b + c * 4294967296 + 2147483648) >> 32;
}

int main(int argc, char **argv)
{
    const long long wanted = argc > 1 ? atoll(argv[1]) : 1000000;
    long long compared = 0;
    long long different[FORMS] = {0};

    while (compared < wanted) {
        int32_t n = (int32_t)between(1, 23);
        int64_t multiplier = between((int64_t)1 << 30, ((int64_t)1 << 31) - 1);
        int64_t zero_point = between(-128, 127);
        int64_t constant = (2 * zero_point + 1) * ((int64_t)1 << (n - 1));
        int64_t lowest = -255 * ((int64_t)1 << (n - 1));
        /* The sum whose result is a half of `twice`: exact ties lie around it. */
        int64_t twice = between(-600, 600);
        int64_t tie = twice * ((int64_t)1 << (n - 1)) * 2147483648 / multiplier;
        int64_t reach = between(0, 3) ? 50 : ((int64_t)1 << 23) - 1;
        int64_t step = reach == 50 ? 1 : between(1, 500000);
        for (int64_t sum = tie - reach; sum <= tie + reach; sum += step) {
            if (sum <= -((int64_t)1 << 30) || sum >= (int64_t)1 << 30) {
                continue;
            }
            int64_t right = two_roundings(sum, multiplier, n);
            int64_t sign = sum < 0 ? -1 : 0;
            compared++;
            different[DOUBLED] += clamp(smmlar(2 * sum, multiplier, constant + sign) >> n) !=
                                  clamp(right + zero_point);
            different[CLAMPED] +=
                clamp(smmlar(2 * sum, multiplier, lowest) >> n) != clamp(right - 128);
            if (n <= 16 && sum > -((int64_t)1 << 23) && sum < (int64_t)1 << 23) {
                different[CLAMPED_256] += clamp(smmla(256 * sum, multiplier, 128 * lowest + 64) >>
                                                (n + 7)) != clamp(right - 128);
            }
            different[WITHOUT_SIGN] +=
                clamp(smmlar(2 * sum, multiplier, constant) >> n) != clamp(right + zero_point);
        }
    }
    printf("compared %lld\n", compared);
    for (int form = 0; form < FORMS; form++) {
        printf("%s %lld\n", names[form], different[form]);
    }
    return 0;
}
