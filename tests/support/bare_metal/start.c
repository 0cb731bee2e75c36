/*
 * The least that a Cortex-M program needs to run in QEMU and to say something: a vector table,
 * and two semihosting calls (Arm, "Semihosting for AArch32 and AArch64", SYS_WRITE0 and SYS_EXIT).
 */
#include <stdint.h>

int main(void);
void say(const char *text);
void reset(void);

extern uint8_t stack_high[];

typedef union {
    const uint8_t *stack;
    void (*handler)(void);
} vector;

__attribute__((section(".vectors"), used)) static const vector vectors[16] = {
    {.stack = stack_high},
    {.handler = reset},
};

static void semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm("r0") = operation;
    register const void *r1 __asm("r1") = argument;
    __asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void say(const char *text)
{
    semihost(0x04U, text);
}

void reset(void)
{
    const uintptr_t application_exit = 0x20026U;
    if (main() == 0) {
        semihost(0x18U, (const void *)application_exit);
    }
    for (;;) {
    }
}
