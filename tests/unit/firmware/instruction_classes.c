/*
 * Feeds instructions to the classes of qemu_cycles.c: each argument is one block of code in
 * hexadecimal, instruction after instruction with a comma between. Prints what a block takes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../firmware/emulator/qemu_cycles.c"

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, translated *callback)
{
    (void)id;
    (void)callback;
}

void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, executed *callback, int flags,
                                          void *data)
{
    (void)tb;
    (void)callback;
    (void)flags;
    (void)data;
}

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb)
{
    (void)tb;
    return 0;
}

uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb)
{
    (void)tb;
    return 0;
}

struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index)
{
    (void)tb;
    (void)index;
    return NULL;
}

const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn)
{
    return insn;
}

size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn)
{
    (void)insn;
    return 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        block b = {0, 0, 0, 0, 0};
        int follows_transfer = 0;
        for (const char *at = argv[i]; *at != '\0'; at += *at == ',' ? 1 : 0) {
            uint8_t code[4] = {0, 0, 0, 0};
            size_t size = 0;
            for (; *at != ',' && *at != '\0'; at += 2) {
                const char digits[3] = {at[0], at[1], '\0'};
                code[size++] = (uint8_t)strtoul(digits, NULL, 16);
            }
            add_instruction(&b, code, size, &follows_transfer);
        }
        printf("%u %u %u\n", (unsigned)b.instructions, (unsigned)b.at_least, (unsigned)b.at_most);
    }
    return 0;
}
