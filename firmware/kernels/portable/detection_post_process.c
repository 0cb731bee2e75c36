/*
 * mcuc_detection_post_process: see mcuc/detection_post_process.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc/detection_post_process.h"

#include <math.h>
#include <string.h>

typedef mcuc_detection_post_process_params params;

typedef struct {
    float top;
    float left;
    float bottom;
    float right;
} rectangle;

/* What is written so far: the best first. */
typedef struct {
    rectangle *places;
    float *kinds;
    float *likelihoods;
    int32_t count;
} detections;

static inline float middle_of(float code, float scale, float size, float middle)
{
    return (float)((double)code / (double)scale * (double)size + (double)middle);
}

static inline float half_of(float code, float scale, float size)
{
    return (float)(0.5 * exp((double)code / (double)scale) * (double)size);
}

/* From codes that are relative to anchors; in double, rounded once. */
static void decode(const params *p, const float *code, const float *anchor, rectangle *places)
{
    for (int32_t i = 0; i < p->boxes; i++) {
        float y = middle_of(code[0], p->y_scale, anchor[2], anchor[0]);
        float x = middle_of(code[1], p->x_scale, anchor[3], anchor[1]);
        float half_height = half_of(code[2], p->h_scale, anchor[2]);
        float half_width = half_of(code[3], p->w_scale, anchor[3]);
        places[i].top = y - half_height;
        places[i].left = x - half_width;
        places[i].bottom = y + half_height;
        places[i].right = x + half_width;
        code += p->encoding_size;
        anchor += 4;
    }
}

static inline float area_of(const rectangle *a)
{
    return (a->bottom - a->top) * (a->right - a->left);
}

/* How much of [a, b) and [c, d) is common. */
static inline float common(float a, float b, float c, float d)
{
    float length = (b < d ? b : d) - (a < c ? c : a);
    return length > 0.0f ? length : 0.0f;
}

/* Intersection over union. */
static inline float overlap_of(const rectangle *a, const rectangle *b)
{
    float area_a = area_of(a);
    float area_b = area_of(b);

    if (area_a <= 0.0f || area_b <= 0.0f) {
        return 0.0f;
    }
    float both =
        common(a->top, a->bottom, b->top, b->bottom) * common(a->left, a->right, b->left, b->right);
    return both / (area_a + area_b - both);
}

/* The class with the best score of a box, the first of equals. */
static inline int32_t best_class(const params *p, const float *row)
{
    int32_t best = 0;

    for (int32_t k = 1; k < p->classes; k++) {
        if (row[k] > row[best]) {
            best = k;
        }
    }
    return best;
}

/* The score of a box that counts: that of class `kind`, or the best one where kind is below 0. */
static inline float score_of(const params *p, const float *scores, int32_t box, int32_t kind)
{
    const float *row = scores + box * p->columns + (p->columns - p->classes);
    return row[kind < 0 ? best_class(p, row) : kind];
}

/* Behind those that are as good; the worst falls out where there is no room. */
static void insert(const params *p, detections *found, const rectangle *place, int32_t kind,
                   float likelihood)
{
    int32_t at = found->count;

    while (at > 0 && found->likelihoods[at - 1] < likelihood) {
        at--;
    }
    if (at == p->detections) {
        return;
    }
    size_t behind =
        (size_t)((found->count < p->detections ? found->count : p->detections - 1) - at);
    (void)memmove(found->places + at + 1, found->places + at, behind * sizeof(rectangle));
    (void)memmove(found->kinds + at + 1, found->kinds + at, behind * sizeof(float));
    (void)memmove(found->likelihoods + at + 1, found->likelihoods + at, behind * sizeof(float));
    found->places[at] = *place;
    found->kinds[at] = (float)kind;
    found->likelihoods[at] = likelihood;
    found->count += found->count < p->detections ? 1 : 0;
}

/* The best candidate that is left; -1 where there is none. */
static int32_t best_left(const params *p, const float *scores, int32_t kind, const uint8_t *left)
{
    int32_t best = -1;
    float best_score = 0.0f;

    for (int32_t i = 0; i < p->boxes; i++) {
        if (left[i]) {
            float score = score_of(p, scores, i, kind);
            if (best < 0 || score > best_score) {
                best = i;
                best_score = score;
            }
        }
    }
    return best;
}

/* Takes up to `limit` candidates of a class (of all where kind is below 0) that do not overlap. */
static void suppress(const params *p, const float *scores, const rectangle *places, int32_t kind,
                     int32_t limit, uint8_t *left, detections *found)
{
    for (int32_t i = 0; i < p->boxes; i++) {
        left[i] = score_of(p, scores, i, kind) >= p->score_threshold;
    }
    for (int32_t taken = 0; taken < limit; taken++) {
        int32_t best = best_left(p, scores, kind, left);
        if (best < 0) {
            return;
        }
        left[best] = 0;
        const float *row = scores + best * p->columns + (p->columns - p->classes);
        int32_t best_kind = kind < 0 ? best_class(p, row) : kind;
        insert(p, found, &places[best], best_kind, row[best_kind]);
        for (int32_t i = 0; i < p->boxes; i++) {
            if (left[i] && overlap_of(&places[best], &places[i]) > p->overlap_threshold) {
                left[i] = 0;
            }
        }
    }
}

void mcuc_detection_post_process(const mcuc_detection_post_process_params *p,
                                 const float *encodings, const float *scores, const float *anchors,
                                 float *places, float *kinds, float *likelihoods, float *count,
                                 void *scratch)
{
    rectangle *decoded = (rectangle *)scratch;
    uint8_t *left = (uint8_t *)(decoded + p->boxes);
    detections found = {(rectangle *)(void *)places, kinds, likelihoods, 0};

    (void)memset(places, 0, (size_t)p->detections * sizeof(rectangle));
    (void)memset(kinds, 0, (size_t)p->detections * sizeof(float));
    (void)memset(likelihoods, 0, (size_t)p->detections * sizeof(float));
    decode(p, encodings, anchors, decoded);
    if (p->class_detections == 0) {
        suppress(p, scores, decoded, -1, p->detections, left, &found);
    }
    for (int32_t kind = 0; kind < p->classes && p->class_detections > 0; kind++) {
        suppress(p, scores, decoded, kind, p->class_detections, left, &found);
    }
    *count = (float)found.count;
}
