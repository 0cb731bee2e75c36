/*
 * mcuc_line.h: lines of the form `mcuc 1 word id=number key=value ... crc=XXXXXXXX`.
 *
 * The CRC is CRC-32 (IEEE 802.3, reflected) of everything before ` crc=`, in
 * eight upper-case hexadecimal digits. Keys come in one fixed order a word,
 * numbers are decimal without sign or leading zeros, bytes are base64.
 * Whatever differs from that is refused, not guessed at.
 *
 * A line is described by a form, which is the line without greeting and CRC and with a mark for
 * each value, such as `data id=# index=# offset=# base64=*`:
 *
 *   #   a number
 *   *   bytes, in base64 with padding
 *   %   eight hexadecimal digits
 *   $   text
 *   ?   a number, or the text `none`
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MCUC_LINE_H
#define MCUC_LINE_H

#include <stdint.h>

/* The longest line the harness takes, the most bytes that one line carries, and numbers. */
enum { MCUC_LINE_BYTES = 352, MCUC_LINE_DATA_BYTES = 192, MCUC_LINE_VALUES = 4 };

/* One received line; `at` is how far it has been understood. */
typedef struct {
    char text[MCUC_LINE_BYTES]; /* once they are understood, bytes that it carries are in front */
    uint32_t length;
    uint32_t at;
    uint32_t values[MCUC_LINE_VALUES]; /* of its keys: numbers; of bytes how many they are */
} mcuc_line;

/* Talking waits for the line anyway: these, and what calls them, are made small, not fast. */
#define MCUC_COLD __attribute__((cold))

enum {
    MCUC_LINE_GOOD = 0,    /* a whole line, its CRC is right */
    MCUC_LINE_EMPTY = 1,   /* the go byte */
    MCUC_LINE_DAMAGED = 2, /* anything else */
    MCUC_LINE_END = 3      /* the line is closed */
};

uint32_t mcuc_crc32(uint32_t crc, const uint8_t *bytes, uint32_t count);

/* Reads up to the next line feed or carriage return. A line that is too long is read to its end and dropped. */
MCUC_COLD int32_t mcuc_line_receive(mcuc_line *line);

enum {
    MCUC_LINE_OTHER = 0,     /* another word, or no first value */
    MCUC_LINE_MALFORMED = 1, /* the word and its first value, but not the rest */
    MCUC_LINE_AS_FORM = 2
};

/* Whether a good line is of the form `form`, which has marks of numbers and of bytes alone. */
MCUC_COLD int32_t mcuc_line_read(mcuc_line *line, const char *form);

/*
 * Sends a line of the form `form`. For each mark there is an argument: a uint32_t for a number and
 * for hexadecimal digits; a const char * for text; for a number that may be none an int32_t, 0
 * where it is none, and a uint32_t; for bytes a const uint8_t * and a uint32_t, how many they are.
 */
MCUC_COLD void mcuc_line_write(const char *form, ...);

/*
 * Closes the report `id` with its end marker, which says how many lines came before
 * it and the CRC-32 of their CRCs (four bytes each, the highest first): a line that
 * was lost and another that came twice do not make up for each other.
 */
MCUC_COLD void mcuc_line_write_end(uint32_t id);

#endif
