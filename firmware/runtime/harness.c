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
#include "mcuc_run.h"

#ifndef MCUC_HARNESS_BUILD_ID
#define MCUC_HARNESS_BUILD_ID 0U
#endif

int main(void);

extern const mcuc_model MCUC_HARNESS_MODEL;
static const mcuc_model *const model = &MCUC_HARNESS_MODEL;

/* What obeying a command comes to; LATER: who obeyed closes the answer, perhaps under another id. */
enum { MALFORMED = 0, OBEYED = 1, LATER = 2 };

static mcuc_state *state;
static uint32_t painted;     /* 1 from `paint` or `repaint` to `run` */
static uint32_t initialised; /* 1 from the first `paint` on */
static uint8_t pattern;

static void answer_error(uint32_t id, const char *what)
{
    mcuc_answer_begin("error", id);
    mcuc_answer_text("what", what);
    mcuc_answer_finish();
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
    mcuc_answer_number("ticks", (uint32_t)mcuc_run.has_ticks);
    mcuc_answer_number("cycles", (uint32_t)mcuc_run.has_cycles);
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
    mcuc_run.result_id = 0; /* the last run is over: its id may come again */
    return 1;
}

static int32_t command_paint(mcuc_line *line, uint32_t id)
{
    if (mcuc_run.is_held) {
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
    if (mcuc_run.is_held) {
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
        mcuc_line_decode(line, mcuc_run_input_place(index) + offset);
    }
    return 1;
}

static int32_t command_run(mcuc_line *line, uint32_t id)
{
    uint32_t mode;
    if (id == 0 || !mcuc_line_take_number(line, "mode", &mode) || mode > MCUC_RUN_HOLD ||
        !mcuc_line_at_end(line)) {
        return MALFORMED;
    }
    if (id == mcuc_run.result_id) {
        mcuc_run_answer_result(id);
    } else if (mcuc_run.is_held && id == mcuc_run.id) {
        mcuc_run_answer_held(id);
    } else if (mcuc_run.is_held) {
        answer_error(id, "held");
    } else if (!painted) {
        answer_error(id, "unpainted");
    } else {
        mcuc_run.is_left = 0;
        painted = 0;
        mcuc_run_start(id, mode, pattern);
        if (!mcuc_run.is_left) {
            mcuc_run_answer_result(mcuc_run.id);
            mcuc_answer_end(mcuc_run.id);
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
    if (id == mcuc_run.result_id) {
        mcuc_run_answer_result(id);
    } else if (!mcuc_run.is_held) {
        answer_error(id, "unpainted");
    } else if (id == mcuc_run.id) {
        mcuc_run_answer_held(id);
    } else {
        mcuc_run_answer_running(id);
        mcuc_run.id = id;
        mcuc_run.is_held = 0;
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
        mcuc_answer_hex("crc32", mcuc_crc32(0, mcuc_run_bytes_of(tensor), tensor->size_bytes));
        mcuc_answer_finish();
        mcuc_run_answer_bytes(id, (uint32_t)i, tensor);
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
        if (mcuc_run.is_held) { /* another host, which knows nothing of a run */
            mcuc_run.is_held = 0;
            mcuc_run.is_left = 1;
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
    mcuc_run_init(listen);
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
