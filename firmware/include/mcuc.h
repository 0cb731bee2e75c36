/*
 * mcuc.h: what every kernel, every generated model and every port shares.
 *
 * Kernels have a header each in mcuc/, named like the kernel. Each states the
 * layout of its tensors, the range of its parameters and the order in which it
 * reads and writes: planning relies on that order.
 *
 * Conventions of all kernels:
 *   - Parameters are one const struct, made by the compiler, kept in flash.
 *   - Tensors are dense, the last dimension varies fastest (NHWC for images).
 *   - A kernel cannot fail: every size was checked on the host.
 *   - Input and output do not overlap unless the kernel's header allows it.
 *   - Integers are two's complement and >> of a negative value is arithmetic.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_H
#define MCUC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Restates a fact that the compiler guarantees; checked in test builds only. */
#ifdef MCUC_CHECKED
void mcuc_assert_failed(const char *expression, const char *file, int line);
#define MCUC_ASSERT(e) ((e) ? (void)0 : mcuc_assert_failed(#e, __FILE__, __LINE__))
#else
#define MCUC_ASSERT(e) ((void)0)
#endif

/* Fails to compile where `e` is false. `name` becomes part of the type's name. */
#define MCUC_STATIC_ASSERT(e, name) typedef char mcuc_static_assert_##name[(e) ? 1 : -1]

enum {
    MCUC_OK = 0,
    MCUC_ERROR_ARENA_TOO_SMALL = 1,
    MCUC_ERROR_ARENA_MISALIGNED = 2,
    MCUC_ERROR_NOT_INITIALISED = 3,
    MCUC_ERROR_NO_ROW_WANTED = 4
};

/*
 * One instance of a model. The application owns it and the arena it points to.
 * `on_step`, where not NULL, is called after each operator with its step. A model
 * with state of its own has a type of its own, of which this is the first member. `position` is
 * where a model that is handed its inputs row by row goes on.
 */
typedef struct {
    uint8_t *arena;
    int32_t position;
    void (*on_step)(void *context, int32_t step);
    void *on_step_context;
} mcuc_state;

/* Where the bytes of a tensor are. */
enum { MCUC_IN_ARENA = 0, MCUC_IN_STATE = 1, MCUC_IN_FLASH = 2 };

/* An input, an output, or what a step wrote. */
typedef struct {
    signed int step : 24; /* that writes it; -1 for an input */
    unsigned place : 8;
    uint32_t size_bytes;
    union {
        uint32_t offset; /* in the arena, or in the model's state */
        const void *flash;
    } at;
} mcuc_tensor;

/* A generated model as the test harness sees it; products need not link it. */
typedef struct {
    const char *name;
    uint32_t arena_bytes;
    uint32_t arena_alignment;
    uint32_t state_bytes; /* of the model's type, which begins with mcuc_state */
    int32_t step_count;
    int32_t input_count;
    int32_t output_count;
    int32_t written_count;
    const mcuc_tensor *inputs;
    const mcuc_tensor *outputs;
    const mcuc_tensor *written; /* what the steps write, in their order */
    int (*init)(mcuc_state *state, void *arena, size_t arena_bytes);
    int (*invoke)(mcuc_state *state); /* NULL where rows are pushed */
    /* Of inputs that are handed in row by row: the input of which a row is wanted, and which row,
     * or -1 where the outputs are there; taking that row, in the type that it has in the arena; and
     * the bytes of a row of each input, 0 for one that lies in the arena as a whole. NULL where
     * there are no such inputs. */
    int32_t (*wanted)(const mcuc_state *state, int32_t *row);
    int (*push)(mcuc_state *state, const void *row);
    const uint32_t *row_bytes;
} mcuc_model;

#ifdef __cplusplus
}
#endif

#endif
