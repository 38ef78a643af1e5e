/* MFRC522: reads the identifier of an ISO 14443 A tag. Source: NXP data sheet MFRC522, ISO/IEC 14443-3. */
#ifndef SHOAL_MFRC522_H
#define SHOAL_MFRC522_H

#include <stdbool.h>
#include <stdint.h>

#define UID_SIZE 10

struct uid {
    uint8_t size; /* 4, 7 or 10; 0 is "no tag" */
    uint8_t bytes[UID_SIZE];
};

enum reading { READ_NONE, READ_TAG, READ_COLLISION, READ_NOISE };

/* Resets the chip and sets it up, field off. Returns its version, or 0 if none answers. */
uint8_t mfrc522_setup(uint8_t antenna);

/* Whether the chip answers and is still set up: a dip of its supply resets it without a word. */
bool mfrc522_healthy(uint8_t antenna);

/* Only the antenna that is being read has its field on, so that neighbours do not disturb each other. */
void mfrc522_field(uint8_t antenna, bool on);

/* Time that tags need in the field before they answer (ISO/IEC 14443-3: 5 ms), in ticks of a millisecond. */
#define MFRC522_GUARD_MS 6

/* Takes 1 ms if no tag is there, 4 ms for seven bytes and 7 for ten; never more than 50 ms. */
enum reading mfrc522_read(uint8_t antenna, struct uid *uid);

/* Lets the tag that was just read sleep, so that it can be read once more. Takes 1 ms. */
void mfrc522_halt(uint8_t antenna);

#endif
