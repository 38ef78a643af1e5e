/* From readings to tags that are present: what a single reading says is not believed. */
#ifndef SHOAL_PRESENCE_H
#define SHOAL_PRESENCE_H

#include "mfrc522.h"
#include <stdint.h>

struct settings {
    uint16_t poll_ms;      /* from the beginning of one round over the antennas to the next */
    uint8_t arrive_reads;  /* equal readings in a row that make a tag present */
    uint8_t leave_reads;   /* empty readings in a row that are needed before it is gone ... */
    uint16_t leave_ms;     /* ... and the time since it was last read */
};

extern struct settings presence_settings;

void presence_init(void);

/* Reads the antenna whose turn it is, in small steps; none takes longer than about 30 ms. */
void presence_step(void);

/* The tag on an antenna; size 0 if there is none. */
const struct uid *presence_tag(uint8_t antenna);

/* The health of an antenna; what was noted since the last call is forgotten when `clear` is set. */
uint8_t presence_health(uint8_t antenna, bool clear);

/* Called when the chip of an antenna has been set up, at the start or again. */
void presence_on_setup(uint8_t antenna, uint8_t version, bool again);

#endif
