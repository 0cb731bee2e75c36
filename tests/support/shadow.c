/*
 * A shadow of an arena: who owns each byte, and what was done that must not be done.
 *
 * The kernels are compiled so that every load and store first calls one of these functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { NOBODY = 0, INPUT = 1, OUTPUT = 2, SCRATCH = 3 };

static const unsigned char *arena;
static size_t arena_bytes;
static unsigned char *owner; /* of each byte, now */
static unsigned char *may;   /* bit 0: output, bit 1: scratch may be written here */
static long stale_reads;
static long stray_reads;
static long stray_writes;

void shadow_watch(const void *bytes, size_t size, unsigned char *owners, unsigned char *rights);
void shadow_result(long *result);
void *shadow_memmove(void *to, const void *from, size_t size);
void *shadow_memcpy(void *to, const void *from, size_t size);
void *shadow_memset(void *to, int value, size_t size);

void shadow_watch(const void *bytes, size_t size, unsigned char *owners, unsigned char *rights)
{
    arena = bytes;
    arena_bytes = size;
    owner = owners;
    may = rights;
    stale_reads = 0;
    stray_reads = 0;
    stray_writes = 0;
}

void shadow_result(long *result)
{
    result[0] = stale_reads;
    result[1] = stray_reads;
    result[2] = stray_writes;
}

static void loaded(const void *address, size_t size)
{
    size_t at = (size_t)((uintptr_t)address - (uintptr_t)arena);
    if (owner == NULL || at >= arena_bytes) {
        return;
    }
    for (size_t i = at; i < at + size && i < arena_bytes; i++) {
        stale_reads += owner[i] == OUTPUT;
        stray_reads += owner[i] == NOBODY;
    }
}

static void stored(const void *address, size_t size)
{
    size_t at = (size_t)((uintptr_t)address - (uintptr_t)arena);
    if (owner == NULL || at >= arena_bytes) {
        return;
    }
    for (size_t i = at; i < at + size && i < arena_bytes; i++) {
        stray_writes += may[i] == 0;
        owner[i] = may[i] == 2 ? SCRATCH : OUTPUT;
    }
}

void *shadow_memmove(void *to, const void *from, size_t size)
{
    loaded(from, size);
    stored(to, size);
    return memmove(to, from, size);
}

/* Source and destination of memcpy must not overlap: then the move reads what it has written. */
void *shadow_memcpy(void *to, const void *from, size_t size)
{
    stored(to, size);
    loaded(from, size);
    return memmove(to, from, size);
}

void *shadow_memset(void *to, int value, size_t size)
{
    stored(to, size);
    return memset(to, value, size);
}

#define HOOKS(bytes)                                       \
    void __asan_load##bytes##_noabort(uintptr_t address);  \
    void __asan_store##bytes##_noabort(uintptr_t address); \
    void __asan_load##bytes##_noabort(uintptr_t address)   \
    {                                                      \
        loaded((const void *)address, bytes);              \
    }                                                      \
    void __asan_store##bytes##_noabort(uintptr_t address)  \
    {                                                      \
        stored((const void *)address, bytes);              \
    }

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __asan_loadN_noabort(uintptr_t address, size_t size);
void __asan_storeN_noabort(uintptr_t address, size_t size);
void __asan_handle_no_return(void);

void __asan_loadN_noabort(uintptr_t address, size_t size)
{
    loaded((const void *)address, size);
}

void __asan_storeN_noabort(uintptr_t address, size_t size)
{
    stored((const void *)address, size);
}

void __asan_handle_no_return(void)
{
}
