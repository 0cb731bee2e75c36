/*
 * run.c: one inference, measured, told step by step or held; see mcuc_run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_run.h"

#include "mcuc_inputs.h"
#include "mcuc_measure.h"
#include "mcuc_port.h"

extern const mcuc_model MCUC_HARNESS_MODEL;
static const mcuc_model *const model = &MCUC_HARNESS_MODEL;

enum { CALIBRATE = MCUC_RUN_HOLD + 1 }; /* one more mode: what does calling the hook cost? */

typedef struct {
    uint32_t ticks;
    uint32_t cycles;
} counts;

mcuc_run_status mcuc_run;

static struct {
    uint32_t mode;
    counts last; /* when the hook last returned */
    counts hook; /* what calling it costs */
} profile;

/* What one call takes. */
typedef struct {
    counts passed;
    uint32_t stack_bytes;
} taken;

static struct {
    int32_t code;
    taken whole;
    taken empty; /* the same measured around a model that does nothing */
    uint32_t peak_bytes;
    const char *guards;
} result;

static uint32_t held_step;
static int32_t (*listen_once)(void);

void mcuc_run_init(int32_t (*listen)(void))
{
    listen_once = listen;
    mcuc_run.has_ticks = mcuc_measure_advances(mcuc_port_ticks);
    mcuc_run.has_cycles = mcuc_measure_advances(mcuc_port_cycles);
}

static void read_counts(counts *now)
{
    now->ticks = mcuc_port_ticks();
    now->cycles = mcuc_port_cycles();
}

/* Makes of when something ended what it took. */
static void take_off(counts *end, const counts *start)
{
    end->ticks -= start->ticks;
    end->cycles -= start->cycles;
}

const uint8_t *mcuc_run_bytes_of(const mcuc_tensor *tensor)
{
    if (tensor->place == MCUC_IN_FLASH) {
        return (const uint8_t *)tensor->at.flash;
    }
    if (tensor->place == MCUC_IN_STATE) {
        return (const uint8_t *)(const void *)mcuc_measure_state() + tensor->at.offset;
    }
    return mcuc_measure_arena() + tensor->at.offset;
}

void mcuc_run_answer_bytes(uint32_t id, uint32_t index, const mcuc_tensor *tensor)
{
    for (uint32_t at = 0; at < tensor->size_bytes; at += MCUC_LINE_DATA_BYTES) {
        uint32_t left = tensor->size_bytes - at;
        uint32_t count = left < MCUC_LINE_DATA_BYTES ? left : (uint32_t)MCUC_LINE_DATA_BYTES;
        mcuc_line_write("bytes id=# index=# offset=# base64=*", id, index, at,
                        mcuc_run_bytes_of(tensor) + at, count);
    }
}

static void answer_written(uint32_t step)
{
    for (uint32_t i = 0; i < (uint32_t)model->written_count; i++) {
        const mcuc_tensor *tensor = &model->written[i];
        if ((uint32_t)tensor->step == step) {
            mcuc_line_write("tensor id=# index=# step=# bytes=#", mcuc_run.id, i, step,
                            tensor->size_bytes);
            mcuc_run_answer_bytes(mcuc_run.id, i, tensor);
        }
    }
}

void mcuc_run_answer_running(uint32_t id)
{
    mcuc_line_write("running id=#", id);
}

void mcuc_run_answer_held(uint32_t id)
{
    mcuc_line_write("held id=# step=#", id, held_step);
}

static void hold_after(uint32_t step)
{
    held_step = step;
    mcuc_run.is_held = 1;
    mcuc_run_answer_held(mcuc_run.id);
    mcuc_line_write_end(mcuc_run.id);
    while (mcuc_run.is_held && listen_once()) {
    }
    mcuc_run.is_held = 0;
}

static void on_step(void *context, int32_t step)
{
    counts passed;
    read_counts(&passed);
    take_off(&passed, &profile.last);
    (void)context;
    if (profile.mode == CALIBRATE) {
        profile.hook = passed;
    } else if (profile.mode == MCUC_RUN_HOLD) {
        hold_after((uint32_t)step);
    } else {
        mcuc_line_write("step id=# index=# ticks=? cycles=?", mcuc_run.id, (uint32_t)step,
                        mcuc_run.has_ticks, passed.ticks, mcuc_run.has_cycles, passed.cycles);
        if (profile.mode == MCUC_RUN_TRACE) {
            answer_written((uint32_t)step);
        }
    }
    read_counts(&profile.last);
}

static int invoke_nothing(mcuc_state *unused)
{
    (void)unused;
    return MCUC_OK;
}

/* Calls `invoke`, which the compiler must not see through, and takes its counts and its stack. */
static void measure(mcuc_invoke *volatile invoke, taken *by_call)
{
    uintptr_t stack = mcuc_port_stack_pointer();
    counts start;
    mcuc_measure_stack_paint();
    read_counts(&start);
    result.code = invoke(mcuc_measure_state());
    read_counts(&by_call->passed);
    take_off(&by_call->passed, &start);
    by_call->stack_bytes = mcuc_measure_stack_depth(stack);
}

static void run_plain(void)
{
    mcuc_measure_state()->on_step = NULL;
    measure(invoke_nothing, &result.empty);
    measure(mcuc_inputs_invoke(), &result.whole);
}

static void run_steps(void)
{
    uint32_t mode = profile.mode;
    void (*volatile hook)(void *, int32_t) = on_step;
    profile.mode = CALIBRATE;
    hook(NULL, 0);
    hook(NULL, 0); /* the second passes the way that a step takes */
    profile.mode = mode;
    mcuc_measure_state()->on_step = on_step;
    read_counts(&profile.last);
    result.code = mcuc_inputs_invoke()(mcuc_measure_state());
}

void mcuc_run_answer_result(uint32_t id)
{
    int32_t plain = profile.mode == MCUC_RUN_PLAIN;
    int32_t stack = plain && mcuc_port_stack_low() != 0;
    int32_t ticks = plain && mcuc_run.has_ticks;
    int32_t cycles = plain && mcuc_run.has_cycles;
    int32_t hook_ticks = !plain && mcuc_run.has_ticks;
    int32_t hook_cycles = !plain && mcuc_run.has_cycles;
    mcuc_line_write("result id=# code=# peak=# guards=$ stack=? ticks=? empty_ticks=? cycles=? "
                    "empty_cycles=? hook_ticks=? hook_cycles=?",
                    id, (uint32_t)result.code, result.peak_bytes, result.guards, stack,
                    result.whole.stack_bytes - result.empty.stack_bytes, ticks,
                    result.whole.passed.ticks, ticks, result.empty.passed.ticks, cycles,
                    result.whole.passed.cycles, cycles, result.empty.passed.cycles, hook_ticks,
                    profile.hook.ticks, hook_cycles, profile.hook.cycles);
}

void mcuc_run_start(uint32_t id, uint32_t mode, uint8_t pattern)
{
    mcuc_run_answer_running(id);
    mcuc_run.id = id;
    profile.mode = mode;
    if (mode == MCUC_RUN_PLAIN) {
        run_plain();
    } else {
        run_steps();
    }
    mcuc_run.result_id = mcuc_run.id; /* of the last `resume`, where the model was held */
    result.peak_bytes = mcuc_measure_peak(pattern);
    result.guards = mcuc_measure_guards();
}
