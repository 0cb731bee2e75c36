/*
 * mcuc_line.h: lines of the form `mcuc 1 word key=value ... crc=XXXXXXXX`.
 *
 * The CRC is CRC-32 (IEEE 802.3, reflected) of everything before ` crc=`, in
 * eight upper-case hexadecimal digits. Keys come in one fixed order a word,
 * numbers are decimal without sign or leading zeros, bytes are base64.
 * Whatever differs from that is refused, not guessed at.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LINE_H
#define MCUC_LINE_H

#include <stdint.h>

/* The longest line the harness takes, and the most bytes that one line carries. */
enum { MCUC_LINE_BYTES = 384, MCUC_LINE_DATA_BYTES = 192 };

/* One received line; `at` is how far it has been understood. */
typedef struct {
    char text[MCUC_LINE_BYTES];
    uint32_t length;
    uint32_t at;
} mcuc_line;

/* Talking waits for the line anyway: these, and what calls them, are made small, not fast. */
#define MCUC_COLD __attribute__((cold))

enum {
    MCUC_LINE_GOOD = 0,    /* a whole line, its CRC is right; `at` is behind "mcuc 1 " */
    MCUC_LINE_EMPTY = 1,   /* the go byte */
    MCUC_LINE_DAMAGED = 2, /* anything else */
    MCUC_LINE_END = 3      /* the line is closed */
};

uint32_t mcuc_crc32(uint32_t crc, const uint8_t *bytes, uint32_t count);

/* Reads up to the next line feed or carriage return. A line that is too long is read to its end and dropped. */
MCUC_COLD int32_t mcuc_line_receive(mcuc_line *line);

/* Each consumes what it names and returns 1, or returns 0 and consumes nothing. */
MCUC_COLD int32_t mcuc_line_take(mcuc_line *line, const char *text);
MCUC_COLD int32_t mcuc_line_take_number(mcuc_line *line, const char *key, uint32_t *value);
MCUC_COLD int32_t mcuc_line_at_end(const mcuc_line *line);

/*
 * The number of bytes that the rest of the line holds as the value of `key` in
 * base64 with padding, or -1 where it is not that. Consumes the key alone;
 * mcuc_line_decode then writes exactly that many bytes.
 */
MCUC_COLD int32_t mcuc_line_take_base64(mcuc_line *line, const char *key);
MCUC_COLD void mcuc_line_decode(const mcuc_line *line, uint8_t *bytes);

/* An answer: begin, any number of keys, finish. Nothing is buffered. */
MCUC_COLD void mcuc_answer_begin(const char *word, uint32_t id);
MCUC_COLD void mcuc_answer_number(const char *key, uint32_t value);
MCUC_COLD void mcuc_answer_text(const char *key, const char *text);
MCUC_COLD void mcuc_answer_hex(const char *key, uint32_t value);
MCUC_COLD void mcuc_answer_base64(const char *key, const uint8_t *bytes, uint32_t count);
MCUC_COLD void mcuc_answer_finish(void);

/*
 * Closes the report `id` with its end marker, which says how many lines came before
 * it and the CRC-32 of their CRCs (four bytes each, the highest first): a line that
 * was lost and another that came twice do not make up for each other.
 */
MCUC_COLD void mcuc_answer_end(uint32_t id);

#endif
