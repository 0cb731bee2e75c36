/*
 * line.c: takes lines apart and writes them; see mcuc_line.h for the form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_line.h"

#include <stdarg.h>

#include "mcuc_port.h"

static const char greeting[] = "mcuc 1 ";
static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* 0xEDB88320 is the polynomial 0x04C11DB7 with its bits reversed. */
uint32_t mcuc_crc32(uint32_t crc, const uint8_t *bytes, uint32_t count)
{
    uint32_t register_bits = ~crc;
    for (uint32_t i = 0; i < count; i++) {
        register_bits ^= bytes[i];
        for (uint32_t bit = 0; bit < 8; bit++) {
            uint32_t odd = 0U - (register_bits & 1U);
            register_bits = (register_bits >> 1) ^ (0xEDB88320U & odd);
        }
    }
    return ~register_bits;
}

MCUC_COLD static char hex_digit(uint32_t value)
{
    return "0123456789ABCDEF"[value & 15U];
}

/* ---- receiving ---------------------------------------------------------------------- */

/* 1 where the line goes on with a number that 32 bits hold. */
MCUC_COLD static int32_t take_number(mcuc_line *line, uint32_t *value)
{
    uint32_t first = line->at;
    uint32_t number = 0;
    for (; line->at < line->length; line->at++) {
        uint32_t digit = (uint32_t)(uint8_t)line->text[line->at] - (uint32_t)'0';
        if (digit > 9) {
            break;
        }
        if (number > (UINT32_MAX - digit) / 10) {
            return 0;
        }
        number = 10 * number + digit;
    }
    uint32_t digits = line->at - first;
    *value = number;
    return digits == 1 || (digits > 1 && line->text[first] != '0');
}

MCUC_COLD static int32_t base64_value(char digit)
{
    for (int32_t value = 0; value < 64; value++) {
        if (base64_digits[value] == digit) {
            return value;
        }
    }
    return -1;
}

/* 1 where the rest of the line is base64, of at least a byte; its bytes are put in front. */
MCUC_COLD static int32_t take_base64(mcuc_line *line, uint32_t *count)
{
    uint32_t bits = 0;
    uint32_t bit_count = 0;
    uint32_t end = line->length;
    if (line->at == end || (end - line->at) % 4 != 0) {
        return 0;
    }
    while (line->length - end < 2 && line->text[end - 1] == '=') {
        end--;
    }
    *count = 0;
    for (; line->at < end; line->at++) {
        int32_t value = base64_value(line->text[line->at]);
        if (value < 0) {
            return 0;
        }
        bits = (bits << 6) | (uint32_t)value;
        bit_count += 6;
        if (bit_count >= 8) {
            bit_count -= 8;
            line->text[(*count)++] = (char)(uint8_t)(bits >> bit_count); /* read long ago */
        }
    }
    line->at = line->length;
    return 1;
}

/* Steps over what is of the form `form`. */
MCUC_COLD static int32_t follow(mcuc_line *line, const char *form)
{
    uint32_t *value = line->values;
    int32_t other = MCUC_LINE_OTHER; /* what it is where it goes on in another way */
    for (; *form != '\0'; form++) {
        if (*form == '#' || *form == '*') {
            if (!(*form == '#' ? take_number : take_base64)(line, value++)) {
                return other;
            }
            other = MCUC_LINE_MALFORMED;
        } else if (line->at == line->length || line->text[line->at++] != *form) {
            return other;
        }
    }
    return MCUC_LINE_AS_FORM;
}

/* Checks and cuts off ` crc=XXXXXXXX`, then steps over the greeting. */
MCUC_COLD static int32_t open_line(mcuc_line *line)
{
    static const char mark[] = " crc=";
    const uint32_t tail_bytes = sizeof(mark) - 1 + 8;
    if (line->length < tail_bytes) {
        return MCUC_LINE_DAMAGED;
    }
    uint32_t body = line->length - tail_bytes;
    line->at = body;
    if (follow(line, mark) != MCUC_LINE_AS_FORM) {
        return MCUC_LINE_DAMAGED;
    }
    uint32_t crc = mcuc_crc32(0, (const uint8_t *)line->text, body);
    for (; line->at < line->length; line->at++, crc <<= 4) {
        if (line->text[line->at] != hex_digit(crc >> 28)) {
            return MCUC_LINE_DAMAGED;
        }
    }
    line->length = body;
    line->at = 0;
    return follow(line, greeting) == MCUC_LINE_AS_FORM ? MCUC_LINE_GOOD : MCUC_LINE_DAMAGED;
}

int32_t mcuc_line_receive(mcuc_line *line)
{
    int32_t too_long = 0;
    line->length = 0;
    for (;;) {
        int32_t byte = mcuc_port_read();
        if (byte == MCUC_PORT_END) {
            return MCUC_LINE_END;
        }
        if (byte == '\n' || byte == '\r') { /* a terminal program sends the latter */
            break;
        }
        if (line->length < MCUC_LINE_BYTES) {
            line->text[line->length++] = (char)byte;
        } else {
            too_long = 1;
        }
    }
    if (too_long) {
        return MCUC_LINE_DAMAGED;
    }
    return line->length == 0 ? MCUC_LINE_EMPTY : open_line(line);
}

int32_t mcuc_line_read(mcuc_line *line, const char *form)
{
    line->at = sizeof(greeting) - 1;
    int32_t found = follow(line, form);
    return line->at < line->length && found != MCUC_LINE_OTHER ? MCUC_LINE_MALFORMED : found;
}

/* ---- answering ---------------------------------------------------------------------- */

static uint32_t answer_crc;
static uint32_t report_lines; /* since the last end marker */
static uint32_t report_crc;   /* of the CRCs of these lines */

MCUC_COLD static void put(char c)
{
    answer_crc = mcuc_crc32(answer_crc, (const uint8_t *)&c, 1);
    mcuc_port_write(&c, 1);
}

MCUC_COLD static void put_literal(const char *text)
{
    for (; *text != '\0'; text++) {
        put(*text);
    }
}

/* A byte that a value cannot hold becomes an underscore. */
MCUC_COLD static void put_text(const char *text)
{
    for (; *text != '\0'; text++) {
        put(*text > ' ' && *text <= '~' ? *text : '_');
    }
}

MCUC_COLD static void put_number(uint32_t value)
{
    char digits[11];
    char *at = digits + sizeof(digits) - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    put_literal(at);
}

/* A number, or `none`. */
MCUC_COLD static void put_count(int32_t is_there, uint32_t value)
{
    if (is_there) {
        put_number(value);
    } else {
        put_literal("none");
    }
}

MCUC_COLD static void put_hex(uint32_t value)
{
    for (uint32_t i = 0; i < 8; i++, value <<= 4) {
        put(hex_digit(value >> 28));
    }
}

MCUC_COLD static void put_base64(const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 3) {
        uint32_t held = count - i < 3 ? count - i : 3;
        uint32_t bits = (uint32_t)bytes[i] << 16;
        bits |= held > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= held > 2 ? (uint32_t)bytes[i + 2] : 0;
        for (uint32_t k = 0; k < 4; k++, bits <<= 6) {
            put(k <= held ? base64_digits[(bits >> 18) & 63U] : '=');
        }
    }
}

/* The CRC of what was put; it counts into that of the report. */
MCUC_COLD static void put_end(void)
{
    uint32_t crc = answer_crc;
    uint8_t bytes[4] = {(uint8_t)(crc >> 24), (uint8_t)(crc >> 16), (uint8_t)(crc >> 8),
                        (uint8_t)crc};
    report_crc = mcuc_crc32(report_crc, bytes, sizeof(bytes));
    report_lines++;
    put_literal(" crc=");
    put_hex(crc);
    put('\n');
}

void mcuc_line_write(const char *form, ...)
{
    const uint8_t *bytes;
    int32_t is_there;
    va_list values;
    va_start(values, form);
    put('\n'); /* so that other text before it cannot spoil the line */
    answer_crc = 0;
    put_literal(greeting);
    for (; *form != '\0'; form++) {
        switch (*form) {
        case '#':
            put_number(va_arg(values, uint32_t));
            break;
        case '%':
            put_hex(va_arg(values, uint32_t));
            break;
        case '$':
            put_text(va_arg(values, const char *));
            break;
        case '?':
            is_there = va_arg(values, int32_t);
            put_count(is_there, va_arg(values, uint32_t));
            break;
        case '*':
            bytes = va_arg(values, const uint8_t *);
            put_base64(bytes, va_arg(values, uint32_t));
            break;
        default:
            put(*form);
        }
    }
    va_end(values);
    put_end();
}

void mcuc_line_write_end(uint32_t id)
{
    mcuc_line_write("end id=# lines=# whole=%", id, report_lines, report_crc);
    report_lines = 0;
    report_crc = 0;
}
