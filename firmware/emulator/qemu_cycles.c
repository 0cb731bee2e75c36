/*
 * qemu_cycles.c: a plugin of QEMU that estimates the cycles of each step on a Cortex-M4.
 *
 *     -plugin FILE,hook=ADDRESS,begin=ADDRESS,end=ADDRESS,out=FILE
 *
 * `hook` is the harness's function that is called after each step, [begin, end) the generated
 * model's code: from the hook on nothing counts until that code runs again. At each call of the
 * hook a line goes to `out`: instructions, and cycles at least and at most since the last one.
 *
 * Cycles are those of Arm's Cortex-M4 Technical Reference Manual (ARM 100166), section 3.3, with
 * memory that never waits: a load takes 2, or 1 where another load or store comes just before it;
 * a double word 3; n registers n + 1; a taken branch 2 to 4; a division 2 to 12; the rest 1.
 *
 * The interface is version 1 of QEMU's plugins (QEMU 7.2, docs/devel/tcg-plugins.rst), of which
 * just what is needed is declared here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { NO_REGISTERS = 0 };

typedef void translated(plugin_id id, struct qemu_plugin_tb *tb);
typedef void executed(unsigned int cpu, void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, translated *callback);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, executed *callback, int flags,
                                          void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv);

/* A block of code without a branch inside, and what it takes each time. */
typedef struct {
    uint64_t start;
    uint64_t end;
    uint32_t instructions;
    uint32_t at_least;
    uint32_t at_most;
} block;

enum { BRANCH_AT_LEAST = 1, BRANCH_AT_MOST = 3, DIVISION_AT_LEAST = 2, DIVISION_AT_MOST = 12 };

static uint64_t hook;
static uint64_t model_begin;
static uint64_t model_end;
static FILE *output;

static uint64_t instructions;
static uint64_t at_least;
static uint64_t at_most;
static uint64_t expected_next;
static int is_paused;

static uint32_t ones(uint32_t bits)
{
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

/* Cycles of a load or store of one register; 0 for anything else. */
static uint32_t single_transfer(uint32_t first, int is_wide)
{
    if (is_wide) {
        if ((first & 0xFE10u) == 0xF810u) {
            return 2;
        }
        return (first & 0xFE10u) == 0xF800u ? 1 : 0;
    }
    switch (first >> 12) {
    case 4:
        return (first & 0xF800u) == 0x4800u ? 2 : 0;
    case 5:
        return ((first >> 9) & 7u) >= 3 ? 2 : 1;
    case 6:
    case 7:
    case 8:
    case 9:
        return (first & 0x0800u) != 0 ? 2 : 1;
    default:
        return 0;
    }
}

/* Registers of a transfer of several; 0 for anything else. */
static uint32_t several_registers(uint32_t first, uint32_t second, int is_wide)
{
    if (is_wide) {
        if ((first & 0xFE40u) == 0xE840u) {
            return 2;
        }
        return (first & 0xFE40u) == 0xE800u ? ones(second) : 0;
    }
    if ((first & 0xF600u) == 0xB400u) {
        return ones(first & 0x1FFu);
    }
    return (first & 0xF000u) == 0xC000u ? ones(first & 0xFFu) : 0;
}

static int is_division(uint32_t first, uint32_t second)
{
    return (first & 0xFFD0u) == 0xFB90u && (second & 0x00F0u) == 0x00F0u;
}

static void add_instruction(block *b, const uint8_t *code, size_t size, int *follows_transfer)
{
    const int is_wide = size == 4;
    const uint32_t first = code[0] | (uint32_t)code[1] << 8;
    const uint32_t second = is_wide ? code[2] | (uint32_t)code[3] << 8 : 0;
    const uint32_t several = several_registers(first, second, is_wide);
    const uint32_t single = single_transfer(first, is_wide);
    uint32_t low = 1;
    uint32_t high = 1;

    if (several > 0) {
        low = high = several + 1;
    } else if (single > 0) {
        low = high = *follows_transfer ? 1 : single;
    } else if (is_wide && is_division(first, second)) {
        low = DIVISION_AT_LEAST;
        high = DIVISION_AT_MOST;
    }
    *follows_transfer = single > 0;
    b->instructions++;
    b->at_least += low;
    b->at_most += high;
    b->end += size;
}

static void on_block(unsigned int cpu, void *data)
{
    const block *b = data;
    (void)cpu;
    if (b->start == hook) {
        if (fprintf(output, "%llu %llu %llu\n", (unsigned long long)instructions,
                    (unsigned long long)at_least, (unsigned long long)at_most) < 0 ||
            fflush(output) != 0) {
            abort();
        }
        instructions = at_least = at_most = 0;
        is_paused = 1;
    } else if (is_paused && b->start >= model_begin && b->start < model_end) {
        is_paused = 0;
        expected_next = b->start;
    }
    if (is_paused) {
        return;
    }
    if (b->start != expected_next) {
        at_least += BRANCH_AT_LEAST;
        at_most += BRANCH_AT_MOST;
    }
    instructions += b->instructions;
    at_least += b->at_least;
    at_most += b->at_most;
    expected_next = b->end;
}

/* Blocks are kept: QEMU may run them as long as it runs. */
static void on_translated(plugin_id id, struct qemu_plugin_tb *tb)
{
    block *b = calloc(1, sizeof *b);
    int follows_transfer = 0;
    (void)id;
    if (b == NULL) {
        abort();
    }
    b->start = qemu_plugin_tb_vaddr(tb);
    b->end = b->start;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        add_instruction(b, qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn),
                        &follows_transfer);
    }
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, NO_REGISTERS, b);
}

static int take(const char *argument, const char *key, uint64_t *value)
{
    size_t length = strlen(key);
    if (strncmp(argument, key, length) != 0) {
        return 0;
    }
    *value = strtoull(argument + length, NULL, 0);
    return 1;
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (take(argv[i], "hook=", &hook) || take(argv[i], "begin=", &model_begin) ||
            take(argv[i], "end=", &model_end)) {
            continue;
        }
        if (strncmp(argv[i], "out=", 4) == 0) {
            output = fopen(argv[i] + 4, "w");
        }
    }
    if (output == NULL || hook == 0) {
        return 1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translated);
    return 0;
}
