/*
 * mcuc_detection_post_process: boxes of objects, of which the best that do not overlap remain.
 *
 * encodings   an input, float32 [boxes][encoding_size], of which the first four count: y, x, height, width
 * scores      float32 [boxes][columns], the last `classes` of each row those of classes
 * anchors     float32 [boxes][4]: y, x, height, width
 * places      an output, float32 [detections][4]: top, left, bottom, right
 * kinds       float32 [detections], numbers of classes
 * likelihoods float32 [detections], scores
 * count       float32, how many detections there are; beyond them are zeros
 * scratch     17 bytes a box, aligned like a float
 *
 * A box is a candidate where its score is at least score_threshold. The best candidate is taken, the
 * first of equals, and others that overlap it by more than overlap_threshold (intersection over union)
 * are dropped; and so on, up to a limit. That happens for the best class of each box, up to
 * `detections`, or where class_detections is above 0 for each class, up to class_detections; the best
 * of all are then kept.
 *
 * Ranges  1 <= boxes, classes, detections; classes <= columns <= classes + 1; 4 <= encoding_size;
 *         0 < overlap_threshold <= 1. Of boxes without area TensorFlow Lite Micro says that they are an
 *         error; here they overlap nothing.
 *
 * Order   Encodings and anchors are read; then scores are read, and outputs written and read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_DETECTION_POST_PROCESS_H
#define MCUC_DETECTION_POST_PROCESS_H

#include "mcuc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int32_t boxes;
    int32_t encoding_size;
    int32_t columns;
    int32_t classes;
    int32_t detections;
    int32_t class_detections;
    float score_threshold;
    float overlap_threshold;
    float y_scale;
    float x_scale;
    float h_scale;
    float w_scale;
} mcuc_detection_post_process_params;

void mcuc_detection_post_process(const mcuc_detection_post_process_params *p,
                                 const float *encodings, const float *scores, const float *anchors,
                                 float *places, float *kinds, float *likelihoods, float *count,
                                 void *scratch);

#ifdef __cplusplus
}
#endif

#endif
