#include "frame.h"

#include "../hal/hal.h"
#include <stdbool.h>
#include <string.h>

#define MAX_ENCODED (MAX_FRAME + 1)

static uint8_t received[MAX_ENCODED];
static uint8_t received_size;
static bool received_too_long;
static bool received_done;
static uint16_t damaged;

static uint8_t building[MAX_FRAME];
static uint8_t building_size;

uint16_t crc16(const uint8_t *data, uint8_t size) {
    uint16_t crc = 0xFFFF;
    while (size--) {
        crc ^= (uint16_t)((uint16_t)*data++ << 8);
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = (crc & 0x8000) ? (uint16_t)((uint16_t)(crc << 1) ^ 0x1021) : (uint16_t)(crc << 1);
    }
    return crc;
}

/* In place: the decoded bytes never overtake the encoded ones. Returns 0 for what no encoder writes. */
static uint8_t unstuff(uint8_t *data, uint8_t size) {
    uint8_t from = 0, to = 0;
    while (from < size) {
        uint8_t code = data[from++];
        uint8_t run = (uint8_t)(code - 1);
        if (run > size - from)
            return 0;
        while (run--)
            data[to++] = data[from++];
        if (from < size)
            data[to++] = 0;
    }
    return to;
}

static uint8_t finish(void) {
    uint8_t size = received_too_long ? 0 : unstuff(received, received_size);
    /* The check of a body with its check behind it is 0. */
    if (size < 4 || crc16(received, size) != 0) {
        damaged++;
        return 0;
    }
    return (uint8_t)(size - 2);
}

uint8_t frame_take(uint8_t byte) {
    if (received_done) {
        received_done = false;
        received_too_long = false;
        received_size = 0;
    }
    if (byte != 0) {
        if (received_size == MAX_ENCODED)
            received_too_long = true;
        else
            received[received_size++] = byte;
        return 0;
    }
    received_done = true;
    return received_size ? finish() : 0;
}

const uint8_t *frame_received(void) { return received; }

uint16_t frame_damaged(void) { return damaged; }

void frame_u8(uint8_t value) {
    if (building_size < MAX_BODY)
        building[building_size++] = value;
}

void frame_begin(uint8_t type, uint8_t seq) {
    building_size = 0;
    frame_u8(type);
    frame_u8(seq);
}

void frame_u16(uint16_t value) {
    frame_u8((uint8_t)(value >> 8));
    frame_u8((uint8_t)value);
}

void frame_u32(uint32_t value) {
    frame_u16((uint16_t)(value >> 16));
    frame_u16((uint16_t)value);
}

void frame_bytes(const uint8_t *data, uint8_t size) {
    while (size--)
        frame_u8(*data++);
}

void frame_text(const char *text) {
    uint8_t size = (uint8_t)strlen(text);
    frame_u8(size);
    frame_bytes((const uint8_t *)text, size);
}

uint8_t frame_room(void) { return (uint8_t)(MAX_BODY - building_size); }

uint8_t frame_mark(void) { return building_size; }

void frame_set(uint8_t mark, uint8_t value) { building[mark] = value; }

void frame_end(void) {
    uint16_t crc = crc16(building, building_size);
    building[building_size++] = (uint8_t)(crc >> 8);
    building[building_size++] = (uint8_t)crc;
    hal_send(0); /* ends whatever the line picked up before */
    uint8_t start = 0;
    for (uint8_t at = 0; at <= building_size; at++) {
        if (at < building_size && building[at] != 0)
            continue;
        hal_send((uint8_t)(at - start + 1));
        while (start < at)
            hal_send(building[start++]);
        start = (uint8_t)(at + 1);
    }
    hal_send(0);
}
