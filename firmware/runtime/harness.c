/*
 * harness.c: runs a model for a host at the other end of a serial line.
 *
 * The compiler is told which model: -DMCUC_HARNESS_MODEL=mcuc_kws_model, and may
 * be told -DMCUC_HARNESS_BUILD_ID=0x1234ABCD, which `hello` repeats, so that the
 * host knows whether this firmware is the one it was built with.
 *
 * The host leads. It sends the go byte, a line feed, until `ready` comes back,
 * then one command line at a time; each has an id, is answered by lines with the
 * same id, and the last of them is `end`. Any command may be sent again: a `run`
 * with the id of the last run does not run, it only tells the result once more.
 *
 *   (nothing: it starts)          start build=HEX
 *   (go)                          ready build=HEX
 *   hello id=                     hello model= build= ..., input index= bytes=, output ...
 *   paint id= pattern=            (paints arena and guards, initialises the model)
 *   repaint id= pattern=          (the same, but the model goes on with the state that it has)
 *   data  id= index= offset= base64=      (a part of an input, straight into the arena)
 *   run   id= mode=0|1|2          running, [step ..., tensor ..., bytes ...], result ...
 *   run   id= mode=3              running, held step= | result ...
 *   resume id=                    running, held step= | result ...
 *   outputs id=                   output index= bytes= crc32=, bytes ...
 *
 * Mode 0 measures the run as a whole and the stack. Mode 1 calls back after each
 * step and counts steps one by one; mode 2 also sends the tensors that each step
 * wrote. What the hook does is not counted; what calling it costs is told as
 * `hook_ticks` and `hook_cycles`, for the host to take off each step. Mode 3 holds
 * after each step and obeys, among others, the commands of mcuc_inspect.h, until
 * `resume`; the go byte lets the model run to its end, and nobody is told.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc.h"
#include "mcuc_inspect.h"
#include "mcuc_line.h"
#include "mcuc_measure.h"
#include "mcuc_port.h"

#ifndef MCUC_HARNESS_BUILD_ID
#define MCUC_HARNESS_BUILD_ID 0U
#endif

int main(void);

extern const mcuc_model MCUC_HARNESS_MODEL;
static const mcuc_model *const model = &MCUC_HARNESS_MODEL;

enum { MODE_PLAIN = 0, MODE_STEPS = 1, MODE_TRACE = 2, MODE_HOLD = 3, MODE_CALIBRATE = 4 };

/* What obeying a command comes to; LATER: who obeyed closes the answer, perhaps under another id. */
enum { MALFORMED = 0, OBEYED = 1, LATER = 2 };

typedef struct {
    uint32_t ticks;
    uint32_t cycles;
} counts;

static struct {
    uint32_t mode;
    uint32_t id;
    counts last; /* when the hook last returned */
    counts hook; /* what calling it costs */
} profile;

static struct {
    uint32_t id;
    int32_t code;
    counts whole;
    counts empty;         /* the same measured around a model that does nothing */
    uint32_t stack_bytes; /* beyond what a model that does nothing needs */
    uint32_t peak_bytes;
    const char *guards;
} result;

static mcuc_state *state;
static uint32_t painted;     /* 1 from `paint` or `repaint` to `run` */
static uint32_t initialised; /* 1 from the first `paint` on */
static uint8_t pattern;
static int32_t has_ticks;
static int32_t has_cycles;

static struct {
    uint32_t is_held; /* 1 while a step has run and the next has to wait */
    uint32_t is_left; /* 1 from the go byte in between until the model has ended */
    int32_t step;
} hold;

static int32_t listen(void);

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

static void answer_error(uint32_t id, const char *what)
{
    mcuc_answer_begin("error", id);
    mcuc_answer_text("what", what);
    mcuc_answer_finish();
}

static const uint8_t *bytes_of(const mcuc_tensor *tensor)
{
    if (tensor->flash != NULL) {
        return (const uint8_t *)tensor->flash;
    }
    if (tensor->is_state) {
        return (const uint8_t *)(const void *)state + tensor->offset;
    }
    return state->arena + tensor->offset;
}

/* Lines with `index`, `offset` and the bytes of one tensor. */
static void answer_bytes(uint32_t id, uint32_t index, const mcuc_tensor *tensor)
{
    for (uint32_t at = 0; at < tensor->size_bytes; at += MCUC_LINE_DATA_BYTES) {
        uint32_t left = tensor->size_bytes - at;
        uint32_t count = left < MCUC_LINE_DATA_BYTES ? left : (uint32_t)MCUC_LINE_DATA_BYTES;
        mcuc_answer_begin("bytes", id);
        mcuc_answer_number("index", index);
        mcuc_answer_number("offset", at);
        mcuc_answer_base64("base64", bytes_of(tensor) + at, count);
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
        mcuc_answer_begin("tensor", profile.id);
        mcuc_answer_number("index", (uint32_t)i);
        mcuc_answer_number("step", (uint32_t)step);
        mcuc_answer_number("bytes", tensor->size_bytes);
        mcuc_answer_finish();
        answer_bytes(profile.id, (uint32_t)i, tensor);
    }
}

static void answer_running(uint32_t id)
{
    mcuc_answer_begin("running", id);
    mcuc_answer_finish();
}

static void answer_held(uint32_t id)
{
    mcuc_answer_begin("held", id);
    mcuc_answer_number("step", (uint32_t)hold.step);
    mcuc_answer_finish();
}

static void hold_after(int32_t step)
{
    hold.step = step;
    hold.is_held = 1;
    answer_held(profile.id);
    mcuc_answer_end(profile.id);
    while (hold.is_held && listen()) {
    }
    hold.is_held = 0;
}

static void on_step(void *context, int32_t step)
{
    counts passed = since(profile.last, now());
    (void)context;
    if (profile.mode == MODE_CALIBRATE) {
        profile.hook = passed;
    } else if (profile.mode == MODE_HOLD) {
        hold_after(step);
    } else {
        mcuc_answer_begin("step", profile.id);
        mcuc_answer_number("index", (uint32_t)step);
        answer_count("ticks", has_ticks, passed.ticks);
        answer_count("cycles", has_cycles, passed.cycles);
        mcuc_answer_finish();
        if (profile.mode == MODE_TRACE) {
            answer_written(step);
        }
    }
    profile.last = now();
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
    *code = invoke(state);
    return since(start, now());
}

static void run_plain(void)
{
    uintptr_t stack = mcuc_port_stack_pointer();
    state->on_step = NULL;
    mcuc_measure_stack_paint();
    result.empty = count_invoke(invoke_nothing, &result.code);
    uint32_t empty_bytes = mcuc_measure_stack_depth(stack);
    mcuc_measure_stack_paint();
    result.whole = count_invoke(model->invoke, &result.code);
    result.stack_bytes = mcuc_measure_stack_depth(stack) - empty_bytes;
}

static void run_steps(uint32_t mode)
{
    profile.mode = MODE_CALIBRATE;
    void (*volatile hook)(void *, int32_t) = on_step;
    hook(NULL, 0);
    hook(NULL, 0); /* the second passes the way that a step takes */
    profile.mode = mode;
    state->on_step = on_step;
    profile.last = now();
    result.code = model->invoke(state);
}

static void answer_result(uint32_t id)
{
    int32_t plain = profile.mode == MODE_PLAIN;
    mcuc_answer_begin("result", id);
    mcuc_answer_number("code", (uint32_t)result.code);
    mcuc_answer_number("peak", result.peak_bytes);
    mcuc_answer_text("guards", result.guards);
    answer_count("stack", plain && mcuc_port_stack_low() != 0, result.stack_bytes);
    answer_count("ticks", plain && has_ticks, result.whole.ticks);
    answer_count("empty_ticks", plain && has_ticks, result.empty.ticks);
    answer_count("cycles", plain && has_cycles, result.whole.cycles);
    answer_count("empty_cycles", plain && has_cycles, result.empty.cycles);
    answer_count("hook_ticks", !plain && has_ticks, profile.hook.ticks);
    answer_count("hook_cycles", !plain && has_cycles, profile.hook.cycles);
    mcuc_answer_finish();
}

static void run(uint32_t id, uint32_t mode)
{
    answer_running(id);
    profile.id = id;
    painted = 0;
    if (mode == MODE_PLAIN) {
        profile.mode = MODE_PLAIN;
        run_plain();
    } else {
        run_steps(mode);
    }
    result.id = profile.id; /* of the last `resume`, where the model was held */
    result.peak_bytes = mcuc_measure_peak(pattern);
    result.guards = mcuc_measure_guards();
}

static void answer_sizes(const char *word, uint32_t id, const mcuc_tensor *tensors, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        mcuc_answer_begin(word, id);
        mcuc_answer_number("index", (uint32_t)i);
        mcuc_answer_number("bytes", tensors[i].size_bytes);
        mcuc_answer_finish();
    }
}

/* ---- commands: each takes its keys, or returns 0 having done nothing ------------------- */

static int32_t command_hello(mcuc_line *line, uint32_t id)
{
    if (!mcuc_line_at_end(line)) {
        return 0;
    }
    mcuc_answer_begin("hello", id);
    mcuc_answer_text("model", model->name);
    mcuc_answer_hex("build", MCUC_HARNESS_BUILD_ID);
    mcuc_answer_number("arena", mcuc_measure_arena_bytes);
    mcuc_answer_number("steps", (uint32_t)model->step_count);
    mcuc_answer_number("inputs", (uint32_t)model->input_count);
    mcuc_answer_number("outputs", (uint32_t)model->output_count);
    mcuc_answer_number("written", (uint32_t)model->written_count);
    mcuc_answer_number("ticks", (uint32_t)has_ticks);
    mcuc_answer_number("cycles", (uint32_t)has_cycles);
    mcuc_answer_number("clock_hz", mcuc_port_clock_hz());
    mcuc_answer_finish();
    answer_sizes("input", id, model->inputs, model->input_count);
    answer_sizes("output", id, model->outputs, model->output_count);
    return 1;
}

static int32_t take_pattern(mcuc_line *line)
{
    uint32_t value;
    if (!mcuc_line_take_number(line, "pattern", &value) || value > UINT8_MAX ||
        !mcuc_line_at_end(line)) {
        return 0;
    }
    pattern = (uint8_t)value;
    mcuc_measure_paint(pattern);
    painted = 0;
    result.id = 0; /* the last run is over: its id may come again */
    return 1;
}

static int32_t command_paint(mcuc_line *line, uint32_t id)
{
    if (hold.is_held) {
        answer_error(id, "held");
        return OBEYED;
    }
    if (!take_pattern(line)) {
        return MALFORMED;
    }
    initialised = 0;
    if (model->state_bytes <= mcuc_measure_state_bytes &&
        model->init(state, mcuc_measure_arena(), mcuc_measure_arena_bytes) == MCUC_OK) {
        painted = 1;
        initialised = 1;
    } else {
        answer_error(id, "init");
    }
    return 1;
}

static int32_t command_repaint(mcuc_line *line, uint32_t id)
{
    if (hold.is_held) {
        answer_error(id, "held");
        return OBEYED;
    }
    if (!take_pattern(line)) {
        return MALFORMED;
    }
    painted = initialised;
    if (!initialised) {
        answer_error(id, "unpainted");
    }
    return 1;
}

/* Writes only where the whole line fits into the input that it names. */
static int32_t command_data(mcuc_line *line, uint32_t id)
{
    uint32_t index;
    uint32_t offset;
    if (!mcuc_line_take_number(line, "index", &index) ||
        !mcuc_line_take_number(line, "offset", &offset)) {
        return 0;
    }
    int32_t count = mcuc_line_take_base64(line, "base64");
    if (count < 0) {
        return 0;
    }
    if (!painted) {
        answer_error(id, "unpainted");
    } else if (index >= (uint32_t)model->input_count || offset > model->inputs[index].size_bytes ||
               (uint32_t)count > model->inputs[index].size_bytes - offset) {
        answer_error(id, "range");
    } else {
        mcuc_line_decode(line, state->arena + model->inputs[index].offset + offset);
    }
    return 1;
}

static int32_t command_run(mcuc_line *line, uint32_t id)
{
    uint32_t mode;
    if (id == 0 || !mcuc_line_take_number(line, "mode", &mode) || mode > MODE_HOLD ||
        !mcuc_line_at_end(line)) {
        return MALFORMED;
    }
    if (id == result.id) {
        answer_result(id);
    } else if (hold.is_held && id == profile.id) {
        answer_held(id);
    } else if (hold.is_held) {
        answer_error(id, "held");
    } else if (!painted) {
        answer_error(id, "unpainted");
    } else {
        hold.is_left = 0;
        run(id, mode);
        if (!hold.is_left) {
            answer_result(profile.id);
            mcuc_answer_end(profile.id);
        }
        return LATER;
    }
    return OBEYED;
}

static int32_t command_resume(mcuc_line *line, uint32_t id)
{
    if (id == 0 || !mcuc_line_at_end(line)) {
        return MALFORMED;
    }
    if (id == result.id) {
        answer_result(id);
    } else if (!hold.is_held) {
        answer_error(id, "unpainted");
    } else if (id == profile.id) {
        answer_held(id);
    } else {
        answer_running(id);
        profile.id = id;
        hold.is_held = 0;
        return LATER;
    }
    return OBEYED;
}

static int32_t command_outputs(mcuc_line *line, uint32_t id)
{
    if (!mcuc_line_at_end(line)) {
        return 0;
    }
    if (!initialised) {
        answer_error(id, "unpainted");
        return 1;
    }
    for (int32_t i = 0; i < model->output_count; i++) {
        const mcuc_tensor *tensor = &model->outputs[i];
        mcuc_answer_begin("output", id);
        mcuc_answer_number("index", (uint32_t)i);
        mcuc_answer_number("bytes", tensor->size_bytes);
        mcuc_answer_hex("crc32", mcuc_crc32(0, bytes_of(tensor), tensor->size_bytes));
        mcuc_answer_finish();
        answer_bytes(id, (uint32_t)i, tensor);
    }
    return 1;
}

static const struct {
    const char *word;
    int32_t (*obey)(mcuc_line *line, uint32_t id);
} commands[] = {
    {"hello", command_hello},    {"paint", command_paint},  {"repaint", command_repaint},
    {"data", command_data},      {"run", command_run},      {"outputs", command_outputs},
    {"resume", command_resume},  {"sum", mcuc_inspect_sum}, {"peek", mcuc_inspect_peek},
    {"mask", mcuc_inspect_mask},
};

static void obey(mcuc_line *line)
{
    uint32_t start = line->at;
    for (uint32_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        uint32_t id;
        line->at = start;
        if (mcuc_line_take(line, commands[i].word) && mcuc_line_take_number(line, "id", &id)) {
            int32_t done = commands[i].obey(line, id);
            if (done == MALFORMED) {
                answer_error(id, "malformed");
            }
            if (done != LATER) {
                mcuc_answer_end(id);
            }
            return;
        }
    }
    answer_error(0, "unknown");
    mcuc_answer_end(0);
}

/* A host that is told `start` in the middle of a conversation knows that all is forgotten. */
static void answer_build(const char *word)
{
    mcuc_answer_begin(word, 0);
    mcuc_answer_hex("build", MCUC_HARNESS_BUILD_ID);
    mcuc_answer_finish();
    mcuc_answer_end(0);
}

/* Obeys one line; 0 where no more will come. */
static int32_t listen(void)
{
    static mcuc_line line;
    int32_t kind = mcuc_line_receive(&line);
    if (kind == MCUC_LINE_END) {
        state->on_step = NULL;
        return 0;
    }
    if (kind == MCUC_LINE_GOOD) {
        obey(&line);
    } else if (kind == MCUC_LINE_EMPTY) {
        if (hold.is_held) { /* another host, which knows nothing of a run */
            hold.is_held = 0;
            hold.is_left = 1;
            state->on_step = NULL;
        }
        answer_build("ready");
    } else {
        answer_error(0, "damaged");
        mcuc_answer_end(0);
    }
    return 1;
}

int main(void)
{
    mcuc_port_init();
    state = mcuc_measure_state();
    has_ticks = mcuc_measure_advances(mcuc_port_ticks);
    has_cycles = mcuc_measure_advances(mcuc_port_cycles);
    answer_build("start");
    while (listen()) {
    }
    return 0;
}

/* Start-up code comes here when the CPU reports a fault at `address`. */
void mcuc_harness_fault(uint32_t exception, uint32_t address, uint32_t status);
void mcuc_harness_fault(uint32_t exception, uint32_t address, uint32_t status)
{
    mcuc_answer_begin("fault", 0);
    mcuc_answer_number("exception", exception);
    mcuc_answer_hex("address", address);
    mcuc_answer_hex("status", status);
    mcuc_answer_finish();
    for (;;) {
    }
}
