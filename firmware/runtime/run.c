/*
 * run.c: one inference, measured, told step by step or held; see mcuc_run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_run.h"

#include "mcuc_measure.h"
#include "mcuc_port.h"

/* Bytes of inputs that are handed to the model row by row, kept here until then. */
#ifndef MCUC_HARNESS_STREAM_BYTES
#define MCUC_HARNESS_STREAM_BYTES 1
#endif

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

static struct {
    int32_t code;
    counts whole;
    counts empty;         /* the same measured around a model that does nothing */
    uint32_t stack_bytes; /* beyond what a model that does nothing needs */
    uint32_t peak_bytes;
    const char *guards;
} result;

static int32_t held_step;
static int32_t (*listen_once)(void);

static uint8_t streamed[MCUC_HARNESS_STREAM_BYTES];

void mcuc_run_init(int32_t (*listen)(void))
{
    listen_once = listen;
    mcuc_run.has_ticks = mcuc_measure_advances(mcuc_port_ticks);
    mcuc_run.has_cycles = mcuc_measure_advances(mcuc_port_cycles);
}

static counts now(void)
{
    counts at;
    at.ticks = mcuc_port_ticks();
    at.cycles = mcuc_port_cycles();
    return at;
}

static counts since(counts start, counts end)
{
    counts passed;
    passed.ticks = end.ticks - start.ticks;
    passed.cycles = end.cycles - start.cycles;
    return passed;
}

static void answer_count(const char *key, int32_t available, uint32_t value)
{
    if (available) {
        mcuc_answer_number(key, value);
    } else {
        mcuc_answer_text(key, "none");
    }
}

const uint8_t *mcuc_run_bytes_of(const mcuc_tensor *tensor)
{
    if (tensor->flash != NULL) {
        return (const uint8_t *)tensor->flash;
    }
    if (tensor->is_state) {
        return (const uint8_t *)(const void *)mcuc_measure_state() + tensor->offset;
    }
    return mcuc_measure_state()->arena + tensor->offset;
}

void mcuc_run_answer_bytes(uint32_t id, uint32_t index, const mcuc_tensor *tensor)
{
    for (uint32_t at = 0; at < tensor->size_bytes; at += MCUC_LINE_DATA_BYTES) {
        uint32_t left = tensor->size_bytes - at;
        uint32_t count = left < MCUC_LINE_DATA_BYTES ? left : (uint32_t)MCUC_LINE_DATA_BYTES;
        mcuc_answer_begin("bytes", id);
        mcuc_answer_number("index", index);
        mcuc_answer_number("offset", at);
        mcuc_answer_base64("base64", mcuc_run_bytes_of(tensor) + at, count);
        mcuc_answer_finish();
    }
}

static void answer_written(int32_t step)
{
    for (int32_t i = 0; i < model->written_count; i++) {
        const mcuc_tensor *tensor = &model->written[i];
        if (tensor->step != step) {
            continue;
        }
        mcuc_answer_begin("tensor", mcuc_run.id);
        mcuc_answer_number("index", (uint32_t)i);
        mcuc_answer_number("step", (uint32_t)step);
        mcuc_answer_number("bytes", tensor->size_bytes);
        mcuc_answer_finish();
        mcuc_run_answer_bytes(mcuc_run.id, (uint32_t)i, tensor);
    }
}

void mcuc_run_answer_running(uint32_t id)
{
    mcuc_answer_begin("running", id);
    mcuc_answer_finish();
}

void mcuc_run_answer_held(uint32_t id)
{
    mcuc_answer_begin("held", id);
    mcuc_answer_number("step", (uint32_t)held_step);
    mcuc_answer_finish();
}

static void hold_after(int32_t step)
{
    held_step = step;
    mcuc_run.is_held = 1;
    mcuc_run_answer_held(mcuc_run.id);
    mcuc_answer_end(mcuc_run.id);
    while (mcuc_run.is_held && listen_once()) {
    }
    mcuc_run.is_held = 0;
}

static void on_step(void *context, int32_t step)
{
    counts passed = since(profile.last, now());
    (void)context;
    if (profile.mode == CALIBRATE) {
        profile.hook = passed;
    } else if (profile.mode == MCUC_RUN_HOLD) {
        hold_after(step);
    } else {
        mcuc_answer_begin("step", mcuc_run.id);
        mcuc_answer_number("index", (uint32_t)step);
        answer_count("ticks", mcuc_run.has_ticks, passed.ticks);
        answer_count("cycles", mcuc_run.has_cycles, passed.cycles);
        mcuc_answer_finish();
        if (profile.mode == MCUC_RUN_TRACE) {
            answer_written(step);
        }
    }
    profile.last = now();
}

uint8_t *mcuc_run_input_place(uint32_t index)
{
    uint8_t *place = streamed;
    if (model->push == NULL || model->row_bytes[index] == 0) {
        return mcuc_measure_state()->arena + model->inputs[index].offset;
    }
    for (uint32_t i = 0; i < index; i++) {
        place += model->row_bytes[i] == 0 ? 0 : model->inputs[i].size_bytes;
    }
    return place;
}

/* Hands in rows as long as any are wanted. */
static int push_rows(mcuc_state *pushed)
{
    int code = MCUC_OK;
    pushed->position = 0;
    while (code == MCUC_OK) {
        int32_t row = 0;
        int32_t index = model->wanted(pushed, &row);
        if (index < 0) {
            break;
        }
        code = model->push(pushed, mcuc_run_input_place((uint32_t)index) +
                                       (uint32_t)row * model->row_bytes[index]);
    }
    return code;
}

static int invoke_nothing(mcuc_state *unused)
{
    (void)unused;
    return MCUC_OK;
}

/* The counts of calling `invoke`, which the compiler must not see through. */
static counts count_invoke(int (*volatile invoke)(mcuc_state *), int32_t *code)
{
    counts start = now();
    *code = invoke(mcuc_measure_state());
    return since(start, now());
}

static void run_plain(void)
{
    uintptr_t stack = mcuc_port_stack_pointer();
    mcuc_measure_state()->on_step = NULL;
    mcuc_measure_stack_paint();
    result.empty = count_invoke(invoke_nothing, &result.code);
    uint32_t empty_bytes = mcuc_measure_stack_depth(stack);
    mcuc_measure_stack_paint();
    result.whole = count_invoke(model->push == NULL ? model->invoke : push_rows, &result.code);
    result.stack_bytes = mcuc_measure_stack_depth(stack) - empty_bytes;
}

static void run_steps(uint32_t mode)
{
    profile.mode = CALIBRATE;
    void (*volatile hook)(void *, int32_t) = on_step;
    hook(NULL, 0);
    hook(NULL, 0); /* the second passes the way that a step takes */
    profile.mode = mode;
    mcuc_measure_state()->on_step = on_step;
    profile.last = now();
    result.code =
        model->push == NULL ? model->invoke(mcuc_measure_state()) : push_rows(mcuc_measure_state());
}

void mcuc_run_answer_result(uint32_t id)
{
    int32_t plain = profile.mode == MCUC_RUN_PLAIN;
    mcuc_answer_begin("result", id);
    mcuc_answer_number("code", (uint32_t)result.code);
    mcuc_answer_number("peak", result.peak_bytes);
    mcuc_answer_text("guards", result.guards);
    answer_count("stack", plain && mcuc_port_stack_low() != 0, result.stack_bytes);
    answer_count("ticks", plain && mcuc_run.has_ticks, result.whole.ticks);
    answer_count("empty_ticks", plain && mcuc_run.has_ticks, result.empty.ticks);
    answer_count("cycles", plain && mcuc_run.has_cycles, result.whole.cycles);
    answer_count("empty_cycles", plain && mcuc_run.has_cycles, result.empty.cycles);
    answer_count("hook_ticks", !plain && mcuc_run.has_ticks, profile.hook.ticks);
    answer_count("hook_cycles", !plain && mcuc_run.has_cycles, profile.hook.cycles);
    mcuc_answer_finish();
}

void mcuc_run_start(uint32_t id, uint32_t mode, uint8_t pattern)
{
    mcuc_run_answer_running(id);
    mcuc_run.id = id;
    if (mode == MCUC_RUN_PLAIN) {
        profile.mode = MCUC_RUN_PLAIN;
        run_plain();
    } else {
        run_steps(mode);
    }
    mcuc_run.result_id = mcuc_run.id; /* of the last `resume`, where the model was held */
    result.peak_bytes = mcuc_measure_peak(pattern);
    result.guards = mcuc_measure_guards();
}
