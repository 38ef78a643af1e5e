/* Frames: COBS between zero bytes, with a CRC-16. */
#ifndef SHOAL_FRAME_H
#define SHOAL_FRAME_H

#include "protocol.h"
#include <stdint.h>

uint16_t crc16(const uint8_t *data, uint8_t size);

/* Takes a byte of the host. Returns the size of the body when the byte ended a sound frame, otherwise 0. The body is
 * in frame_received() until the next call. */
uint8_t frame_take(uint8_t byte);
const uint8_t *frame_received(void);

/* Frames of the host that were damaged or too long, modulo 65,536. */
uint16_t frame_damaged(void);

/* Builds a frame and sends it. What does not fit is left out, which frame_room() lets one avoid. */
void frame_begin(uint8_t type, uint8_t seq);
void frame_u8(uint8_t value);
void frame_u16(uint16_t value);
void frame_u32(uint32_t value);
void frame_bytes(const uint8_t *data, uint8_t size);
void frame_text(const char *text);
uint8_t frame_room(void);
uint8_t frame_mark(void);              /* the place of the next byte */
void frame_set(uint8_t mark, uint8_t value); /* changes a byte written before */
void frame_end(void);

#endif
