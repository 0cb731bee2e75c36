/*
 * mcuc_run.h: one inference of the model that the compiler is told; its modes are in harness.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_RUN_H
#define MCUC_RUN_H

#include "mcuc.h"
#include "mcuc_line.h"

enum { MCUC_RUN_PLAIN = 0, MCUC_RUN_STEPS = 1, MCUC_RUN_TRACE = 2, MCUC_RUN_HOLD = 3 };

typedef struct {
    int32_t has_ticks;
    int32_t has_cycles;
    uint32_t id;        /* of the last `run`, or of the `resume` that let it go on */
    uint32_t result_id; /* of the last run that has ended; 0 where there is none to tell */
    uint32_t is_held;   /* 1 while a step has run and the next has to wait */
    uint32_t is_left;   /* 1 from the go byte in between until the model has ended */
} mcuc_run_status;

extern mcuc_run_status mcuc_run;

/* Tries the counters. `listen` obeys one line and returns 0 where no more will come. */
void mcuc_run_init(int32_t (*listen)(void));

/* Runs the model over an arena that was painted with `pattern`, and answers as `mode` says. */
void mcuc_run_start(uint32_t id, uint32_t mode, uint8_t pattern);

const uint8_t *mcuc_run_bytes_of(const mcuc_tensor *tensor);

/* Lines with `index`, `offset` and the bytes of one tensor. */
void mcuc_run_answer_bytes(uint32_t id, uint32_t index, const mcuc_tensor *tensor);

void mcuc_run_answer_running(uint32_t id);
void mcuc_run_answer_held(uint32_t id);
void mcuc_run_answer_result(uint32_t id);

#endif
