/*
 * mcuc_logistic_f32.h: the logistic function of float32.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LOGISTIC_F32_H
#define MCUC_LOGISTIC_F32_H

#include <math.h>

/* Beyond these bounds TensorFlow Lite takes what the function is near to. */
static inline float mcuc_logistic_f32(float x)
{
    if (x > 16.619047164916992188f) {
        return 1.0f;
    }
    return x < -9.0f ? expf(x) : 1.0f / (1.0f + expf(-x));
}

#endif
