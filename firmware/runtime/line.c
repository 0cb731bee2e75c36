/*
 * line.c: takes lines apart and writes them; see mcuc_line.h for the form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mcuc_line.h"

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

/* Checks and cuts off ` crc=XXXXXXXX`, then steps over the greeting. */
MCUC_COLD static int32_t open_line(mcuc_line *line)
{
    static const char mark[] = " crc=";
    const uint32_t mark_bytes = sizeof(mark) - 1;
    const uint32_t tail_bytes = mark_bytes + 8;
    if (line->length < tail_bytes) {
        return MCUC_LINE_DAMAGED;
    }
    uint32_t body = line->length - tail_bytes;
    line->at = body;
    if (!mcuc_line_take(line, mark)) {
        return MCUC_LINE_DAMAGED;
    }
    uint32_t crc = mcuc_crc32(0, (const uint8_t *)line->text, body);
    for (uint32_t i = 0; i < 8; i++) {
        if (line->text[body + mark_bytes + i] != hex_digit(crc >> (28 - 4 * i))) {
            return MCUC_LINE_DAMAGED;
        }
    }
    line->length = body;
    line->at = 0;
    return mcuc_line_take(line, greeting) ? MCUC_LINE_GOOD : MCUC_LINE_DAMAGED;
}

int32_t mcuc_line_receive(mcuc_line *line)
{
    int32_t too_long = 0;
    line->length = 0;
    line->at = 0;
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

int32_t mcuc_line_take(mcuc_line *line, const char *text)
{
    uint32_t at = line->at;
    for (; *text != '\0'; text++) {
        if (at == line->length || line->text[at] != *text) {
            return 0;
        }
        at++;
    }
    line->at = at;
    return 1;
}

/* Takes ` key=`. */
MCUC_COLD static int32_t take_key(mcuc_line *line, const char *key)
{
    uint32_t start = line->at;
    if (mcuc_line_take(line, " ") && mcuc_line_take(line, key) && mcuc_line_take(line, "=")) {
        return 1;
    }
    line->at = start;
    return 0;
}

int32_t mcuc_line_take_number(mcuc_line *line, const char *key, uint32_t *value)
{
    uint32_t start = line->at;
    if (!take_key(line, key)) {
        return 0;
    }
    uint32_t first = line->at;
    uint32_t number = 0;
    while (line->at < line->length) {
        uint32_t digit = (uint32_t)(uint8_t)line->text[line->at] - (uint32_t)'0';
        if (digit > 9) {
            break;
        }
        if (number > (UINT32_MAX - digit) / 10) {
            line->at = start; /* does not fit 32 bits */
            return 0;
        }
        number = 10 * number + digit;
        line->at++;
    }
    uint32_t digits = line->at - first;
    if (digits == 0 || (digits > 1 && line->text[first] == '0')) {
        line->at = start;
        return 0;
    }
    *value = number;
    return 1;
}

int32_t mcuc_line_at_end(const mcuc_line *line)
{
    return line->at == line->length;
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

int32_t mcuc_line_take_base64(mcuc_line *line, const char *key)
{
    if (!take_key(line, key)) {
        return -1;
    }
    uint32_t count = line->length - line->at;
    if (count == 0 || count % 4 != 0) {
        return -1;
    }
    const char *text = line->text + line->at;
    uint32_t padding = 0;
    while (padding < 2 && text[count - 1 - padding] == '=') {
        padding++;
    }
    for (uint32_t i = 0; i < count - padding; i++) {
        if (base64_value(text[i]) < 0) {
            return -1;
        }
    }
    return (int32_t)(count / 4 * 3 - padding);
}

void mcuc_line_decode(const mcuc_line *line, uint8_t *bytes)
{
    uint32_t bits = 0;
    uint32_t bit_count = 0;
    uint32_t written = 0;
    for (uint32_t i = line->at; i < line->length && line->text[i] != '='; i++) {
        bits = (bits << 6) | (uint32_t)base64_value(line->text[i]);
        bit_count += 6;
        if (bit_count >= 8) {
            bit_count -= 8;
            bytes[written++] = (uint8_t)(bits >> bit_count);
        }
    }
}

/* ---- answering ---------------------------------------------------------------------- */

static uint32_t answer_crc;
static uint32_t report_lines; /* since the last end marker */
static uint32_t report_crc;   /* of the CRCs of these lines */

MCUC_COLD static void put(const char *text, uint32_t count)
{
    answer_crc = mcuc_crc32(answer_crc, (const uint8_t *)text, count);
    mcuc_port_write(text, count);
}

MCUC_COLD static void put_text(const char *text)
{
    for (; *text != '\0'; text++) {
        put(text, 1);
    }
}

MCUC_COLD static void put_key(const char *key)
{
    put(" ", 1);
    put_text(key);
    put("=", 1);
}

void mcuc_answer_begin(const char *word, uint32_t id)
{
    answer_crc = 0;
    mcuc_port_write("\n", 1); /* so that other text before it cannot spoil the line */
    put_text(greeting);
    put_text(word);
    mcuc_answer_number("id", id);
}

void mcuc_answer_number(const char *key, uint32_t value)
{
    char digits[10];
    uint32_t at = sizeof(digits);
    uint32_t rest = value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    put_key(key);
    put(digits + at, sizeof(digits) - at);
}

/* A byte that a value cannot hold becomes an underscore. */
void mcuc_answer_text(const char *key, const char *text)
{
    put_key(key);
    for (; *text != '\0'; text++) {
        char c = (*text > ' ' && *text <= '~') ? *text : '_';
        put(&c, 1);
    }
}

void mcuc_answer_hex(const char *key, uint32_t value)
{
    char digits[8];
    for (uint32_t i = 0; i < 8; i++) {
        digits[i] = hex_digit(value >> (28 - 4 * i));
    }
    put_key(key);
    put(digits, sizeof(digits));
}

void mcuc_answer_base64(const char *key, const uint8_t *bytes, uint32_t count)
{
    put_key(key);
    for (uint32_t i = 0; i < count; i += 3) {
        char digits[4];
        uint32_t held = count - i < 3 ? count - i : 3;
        uint32_t bits = (uint32_t)bytes[i] << 16;
        bits |= held > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= held > 2 ? (uint32_t)bytes[i + 2] : 0;
        for (uint32_t k = 0; k < 4; k++) {
            digits[k] = k <= held ? base64_digits[(bits >> (18 - 6 * k)) & 63U] : '=';
        }
        put(digits, sizeof(digits));
    }
}

void mcuc_answer_finish(void)
{
    uint32_t crc = answer_crc;
    uint8_t bytes[4] = {(uint8_t)(crc >> 24), (uint8_t)(crc >> 16), (uint8_t)(crc >> 8),
                        (uint8_t)crc};
    report_crc = mcuc_crc32(report_crc, bytes, sizeof(bytes));
    report_lines++;
    mcuc_answer_hex("crc", crc);
    mcuc_port_write("\n", 1);
}

void mcuc_answer_end(uint32_t id)
{
    mcuc_answer_begin("end", id);
    mcuc_answer_number("lines", report_lines);
    mcuc_answer_hex("whole", report_crc);
    mcuc_answer_finish();
    report_lines = 0;
    report_crc = 0;
}
