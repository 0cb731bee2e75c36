/*
 * Runs each case of a table on drawn inputs: a portable kernel says what is right, a kernel of the
 * DSP extension must give the same bytes, leave its input alone and stay inside its buffers.
 *
 * Reports over semihosting (Arm's "Semihosting for AArch32 and AArch64") and ends the emulator.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdint.h>
#include <string.h>

#include "cases.h"

enum { GUARD = 0xA5, GUARD_BYTES = 16, BUFFER_BYTES = TEST_BUFFER_BYTES + 2 * GUARD_BYTES };
enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20, ADP_STOPPED = 0x20026 };
enum { STATUS_EQUAL = 0, STATUS_DIFFERENT = 1, STATUS_FAULT = 2 };

static uint8_t input_a[BUFFER_BYTES];
static uint8_t input_b[BUFFER_BYTES];
static uint8_t expected[BUFFER_BYTES];
static uint8_t guarded_output[BUFFER_BYTES];
static uint8_t guarded_scratch[BUFFER_BYTES];
static uint32_t random_state;

static void semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm("r0") = operation;
    register const void *r1 __asm("r1") = argument;
    __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static void finish(uint32_t status)
{
    const uint32_t arguments[2] = {ADP_STOPPED, status};
    semihost(SYS_EXIT_EXTENDED, arguments);
}

static void print(const char *text)
{
    semihost(SYS_WRITE0, text);
}

static void print_number(int32_t value)
{
    char digits[12];
    char *at = digits + sizeof digits - 1;
    uint32_t left = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
    *at = '\0';
    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (value < 0) {
        *--at = '-';
    }
    print(at);
}

void mcuc_fault_report(const uint32_t *frame);

void mcuc_harness_fault(uint32_t exception, uint32_t address, uint32_t status);
void mcuc_harness_fault(uint32_t exception, uint32_t address, uint32_t status)
{
    print("fault ");
    print_number((int32_t)exception);
    print(" at ");
    print_number((int32_t)address);
    print(" status ");
    print_number((int32_t)status);
    print("\n");
    finish(STATUS_FAULT);
}

/* The timer of the MPS2 board counts down; see firmware/port/mps2. */
#define TIMER0_CTRL (*(volatile uint32_t *)0x40000000U)
#define TIMER0_VALUE (*(volatile uint32_t *)0x40000004U)
#define TIMER0_RELOAD (*(volatile uint32_t *)0x40000008U)

static void print_ticks(const char *what, uint32_t index, uint32_t ticks)
{
    print(what);
    print_number((int32_t)index);
    print(" ");
    print_number((int32_t)ticks);
    print("\n");
}

static uint32_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Round 0: the lowest byte; 1: the highest; 2: only those two; from 3 on: any. */
static void fill(uint8_t *at, uint32_t count, uint32_t round)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t drawn = next_random() >> 11;
        if (round < 3) {
            drawn = (round == 2 ? drawn & 1u : round) ? 0x7F : 0x80;
        }
        at[i] = (uint8_t)drawn;
    }
}

static uint32_t checksum(const uint8_t *at, uint32_t count)
{
    uint32_t sum = 1;
    for (uint32_t i = 0; i < count; i++) {
        sum = sum * 31u + at[i];
    }
    return sum;
}

/* Whether all bytes around [GUARD_BYTES, GUARD_BYTES + count) are as they were. */
static int is_whole(const uint8_t *guarded, uint32_t count)
{
    for (uint32_t i = 0; i < GUARD_BYTES; i++) {
        if (guarded[i] != GUARD || guarded[GUARD_BYTES + count + i] != GUARD) {
            return 0;
        }
    }
    return 1;
}

static void complain(uint32_t index, uint32_t round, const char *what)
{
    print("case ");
    print_number((int32_t)index);
    print(" round ");
    print_number((int32_t)round);
    print(": ");
    print(what);
}

/* Returns 0 if everything is equal. */
static int run_case(uint32_t index, uint32_t round)
{
    const test_case *c = &test_cases[index];
    uint8_t *output = guarded_output + GUARD_BYTES;

    fill(input_a, c->a_bytes, round);
    fill(input_b, c->b_bytes, round);
    uint32_t before = checksum(input_a, c->a_bytes) ^ checksum(input_b, c->b_bytes);
    (void)memset(guarded_output, GUARD, c->output_bytes + 2 * GUARD_BYTES);
    (void)memset(guarded_scratch, GUARD, c->scratch_bytes + 2 * GUARD_BYTES);
    c->portable((const int8_t *)input_a, (const int8_t *)input_b, (int8_t *)expected, NULL);
    c->tested((const int8_t *)input_a, (const int8_t *)input_b, (int8_t *)output,
              guarded_scratch + GUARD_BYTES);
    if ((checksum(input_a, c->a_bytes) ^ checksum(input_b, c->b_bytes)) != before) {
        complain(index, round, "an input changed\n");
        return 1;
    }
    if (!is_whole(guarded_output, c->output_bytes) ||
        !is_whole(guarded_scratch, c->scratch_bytes)) {
        complain(index, round, "bytes outside output or scratch changed\n");
        return 1;
    }
    for (uint32_t i = 0; i < c->output_bytes; i++) {
        if (output[i] != expected[i]) {
            complain(index, round, "byte ");
            print_number((int32_t)i);
            print(" is ");
            print_number((int8_t)output[i]);
            print(", not ");
            print_number((int8_t)expected[i]);
            print("\n");
            return 1;
        }
    }
    /* In place or at a distance: the input lies where it is overwritten as it is read. */
    if (c->overlap) {
        int8_t *in = (int8_t *)guarded_output + GUARD_BYTES + (c->distance > 0 ? c->distance : 0);
        int8_t *out = in - c->distance;
        (void)memcpy(in, input_a, c->a_bytes);
        c->tested(in, (const int8_t *)input_b, out, guarded_scratch + GUARD_BYTES);
        if (memcmp(out, expected, c->output_bytes) != 0) {
            complain(index, round, "differs when input and output overlap\n");
            return 1;
        }
    }
    return 0;
}

/* How long both kernels take, in ticks. */
static void count(uint32_t index)
{
    const test_case *c = &test_cases[index];
    fill(input_a, c->a_bytes, TEST_ROUNDS);
    fill(input_b, c->b_bytes, TEST_ROUNDS);
    uint32_t start = TIMER0_VALUE;
    c->portable((const int8_t *)input_a, (const int8_t *)input_b, (int8_t *)expected, NULL);
    uint32_t middle = TIMER0_VALUE;
    c->tested((const int8_t *)input_a, (const int8_t *)input_b, (int8_t *)expected,
              guarded_scratch + GUARD_BYTES);
    uint32_t end = TIMER0_VALUE;
    print_ticks("portable ", index, start - middle);
    print_ticks("tested ", index, middle - end);
}

/* Access to the floating-point unit, which holds the vectors of a Cortex-M55, is granted here. */
#define CPACR (*(volatile uint32_t *)0xE000ED88U)

int main(void)
{
    uint32_t different = 0;
    CPACR |= 0xFU << 20;
    __asm volatile("dsb\n\tisb" ::: "memory");
    if (TEST_COUNTS) {
        TIMER0_RELOAD = UINT32_MAX;
        TIMER0_VALUE = UINT32_MAX;
        TIMER0_CTRL = 1;
    }
    random_state = TEST_SEED;
    for (uint32_t index = 0; index < TEST_CASES; index++) {
        for (uint32_t round = 0; round < TEST_ROUNDS; round++) {
            if (run_case(index, round)) {
                different++;
                break;
            }
        }
        if (TEST_COUNTS) {
            count(index);
        }
    }
    print("ran ");
    print_number((int32_t)TEST_CASES);
    print("\n");
    finish(different > 0 ? STATUS_DIFFERENT : STATUS_EQUAL);
    return 0;
}
