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
#include "mcuc_inputs.h"
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

/*
 * What obeying a command comes to. MALFORMED: nothing was done; LATER: who obeyed closes the
 * answer, perhaps under another id.
 */
enum { MALFORMED = 0, OBEYED = 1, LATER = 2 };

static mcuc_line line;
static mcuc_state *state;
static int32_t painted;     /* 1 from `paint` or `repaint` to `run` */
static int32_t initialised; /* 1 from the first `paint` on */
static uint8_t pattern;

static void answer_error(uint32_t id, const char *what)
{
    mcuc_line_write("error id=# what=$", id, what);
}

static void answer_sizes(const char *form, uint32_t id, const mcuc_tensor *tensors, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        mcuc_line_write(form, id, (uint32_t)i, tensors[i].size_bytes);
    }
}

/*
 * ---- commands ---------------------------------------------------------------------------
 *
 * `values` are those of the command's form, the id first, in the line that was received last: a
 * run that is held receives others.
 */

static int32_t command_hello(const uint32_t *values)
{
    uint32_t id = values[0];
    mcuc_line_write("hello id=# model=$ build=% arena=# steps=# inputs=# outputs=# written=# "
                    "ticks=# cycles=# clock_hz=#",
                    id, model->name, (uint32_t)MCUC_HARNESS_BUILD_ID, mcuc_measure_arena_bytes,
                    (uint32_t)model->step_count, (uint32_t)model->input_count,
                    (uint32_t)model->output_count, (uint32_t)model->written_count,
                    (uint32_t)mcuc_run.has_ticks, (uint32_t)mcuc_run.has_cycles,
                    mcuc_port_clock_hz());
    answer_sizes("input id=# index=# bytes=#", id, model->inputs, model->input_count);
    answer_sizes("output id=# index=# bytes=#", id, model->outputs, model->output_count);
    return OBEYED;
}

static int32_t paint(const uint32_t *values, int32_t is_anew)
{
    if (mcuc_run.is_held) {
        answer_error(values[0], "held");
        return OBEYED;
    }
    if (values[1] > UINT8_MAX) {
        return MALFORMED;
    }
    pattern = (uint8_t)values[1];
    mcuc_measure_paint(pattern);
    mcuc_run.result_id = 0; /* the last run is over: its id may come again */
    if (is_anew) {
        initialised = model->state_bytes <= mcuc_measure_state_bytes &&
                      model->init(state, mcuc_measure_arena(), mcuc_measure_arena_bytes) == MCUC_OK;
    }
    painted = initialised;
    if (!initialised) {
        answer_error(values[0], is_anew ? "init" : "unpainted");
    }
    return OBEYED;
}

static int32_t command_paint(const uint32_t *values)
{
    return paint(values, 1);
}

static int32_t command_repaint(const uint32_t *values)
{
    return paint(values, 0);
}

/* Writes only where the whole line fits into the input that it names. */
static int32_t command_data(const uint32_t *values)
{
    uint32_t index = values[1];
    uint32_t offset = values[2];
    uint32_t count = values[3];
    if (!painted) {
        answer_error(values[0], "unpainted");
    } else if (index >= (uint32_t)model->input_count || offset > model->inputs[index].size_bytes ||
               count > model->inputs[index].size_bytes - offset) {
        answer_error(values[0], "range");
    } else {
        uint8_t *bytes = mcuc_inputs_place(index) + offset;
        for (uint32_t i = 0; i < count; i++) {
            bytes[i] = (uint8_t)line.text[i];
        }
    }
    return OBEYED;
}

static int32_t command_run(const uint32_t *values)
{
    uint32_t id = values[0];
    uint32_t mode = values[1];
    if (id == 0 || mode > MCUC_RUN_HOLD) {
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
            mcuc_line_write_end(mcuc_run.id);
        }
        return LATER;
    }
    return OBEYED;
}

static int32_t command_resume(const uint32_t *values)
{
    uint32_t id = values[0];
    if (id == 0) {
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

static int32_t command_outputs(const uint32_t *values)
{
    uint32_t id = values[0];
    if (!initialised) {
        answer_error(id, "unpainted");
        return OBEYED;
    }
    for (int32_t i = 0; i < model->output_count; i++) {
        const mcuc_tensor *tensor = &model->outputs[i];
        mcuc_line_write("output id=# index=# bytes=# crc32=%", id, (uint32_t)i, tensor->size_bytes,
                        mcuc_crc32(0, mcuc_run_bytes_of(tensor), tensor->size_bytes));
        mcuc_run_answer_bytes(id, (uint32_t)i, tensor);
    }
    return OBEYED;
}

static const struct {
    const char *form;
    int32_t (*obey)(const uint32_t *values);
} commands[] = {
    {"hello id=#", command_hello},
    {"paint id=# pattern=#", command_paint},
    {"repaint id=# pattern=#", command_repaint},
    {"data id=# index=# offset=# base64=*", command_data},
    {"run id=# mode=#", command_run},
    {"outputs id=#", command_outputs},
    {"resume id=#", command_resume},
    {"sum id=# offset=# bytes=#", mcuc_inspect_sum},
    {"peek id=# offset=# bytes=#", mcuc_inspect_peek},
    {"mask id=# offset=# bytes=#", mcuc_inspect_mask},
};

static void obey(void)
{
    int32_t found = MCUC_LINE_OTHER;
    uint32_t i = 0;
    for (; i < sizeof(commands) / sizeof(commands[0]) && found == MCUC_LINE_OTHER; i++) {
        found = mcuc_line_read(&line, commands[i].form);
    }
    uint32_t id = found == MCUC_LINE_OTHER ? 0 : line.values[0];
    int32_t done = MALFORMED;
    if (found == MCUC_LINE_AS_FORM) {
        done = commands[i - 1].obey(line.values);
    }
    if (done == MALFORMED) {
        answer_error(id, found == MCUC_LINE_OTHER ? "unknown" : "malformed");
    }
    if (done != LATER) {
        mcuc_line_write_end(id);
    }
}

/* A host that is told `start` in the middle of a conversation knows that all is forgotten. */
static void answer_build(const char *form)
{
    mcuc_line_write(form, (uint32_t)MCUC_HARNESS_BUILD_ID);
    mcuc_line_write_end(0);
}

/* Obeys one line; 0 where no more will come. */
static int32_t listen(void)
{
    int32_t kind = mcuc_line_receive(&line);
    if (kind == MCUC_LINE_END) {
        state->on_step = NULL;
        return 0;
    }
    if (kind == MCUC_LINE_GOOD) {
        obey();
    } else if (kind == MCUC_LINE_EMPTY) {
        if (mcuc_run.is_held) { /* another host, which knows nothing of a run */
            mcuc_run.is_held = 0;
            mcuc_run.is_left = 1;
            state->on_step = NULL;
        }
        answer_build("ready id=0 build=%");
    } else {
        answer_error(0, "damaged");
        mcuc_line_write_end(0);
    }
    return 1;
}

int main(void)
{
    mcuc_port_init();
    state = mcuc_measure_state();
    mcuc_run_init(listen);
    answer_build("start id=0 build=%");
    while (listen()) {
    }
    return 0;
}

/* Start-up code comes here when the CPU reports a fault at `address`. */
void mcuc_harness_fault(uint32_t exception, uint32_t address, uint32_t status);
void mcuc_harness_fault(uint32_t exception, uint32_t address, uint32_t status)
{
    mcuc_line_write("fault id=0 exception=# address=% status=%", exception, address, status);
    for (;;) {
    }
}
