#include "mfrc522.h"

#include "../hal/hal.h"
#include <string.h>

enum chip_register {
    COMMAND = 0x01,
    COM_IRQ = 0x04,
    ERRORS = 0x06,
    FIFO_DATA = 0x09,
    FIFO_LEVEL = 0x0A,
    CONTROL = 0x0C,
    BIT_FRAMING = 0x0D,
    COLL = 0x0E,
    MODE = 0x11,
    TX_CONTROL = 0x14,
    TX_ASK = 0x15,
    RF_CONFIG = 0x26,
    T_MODE = 0x2A,
    T_PRESCALER = 0x2B,
    T_RELOAD_HIGH = 0x2C,
    T_RELOAD_LOW = 0x2D,
    VERSION = 0x37
};

enum chip_command { IDLE = 0x00, TRANSCEIVE = 0x0C, SOFT_RESET = 0x0F };

#define IRQ_TIMER 0x01
#define IRQ_RECEIVED 0x20
#define ERROR_COLLISION 0x08
#define ERROR_OTHER 0x13 /* buffer overflow, parity, protocol */

/* The timer starts by itself after sending: prescaler 169 makes ticks of 25 us, and 40 of them 1 ms. Answers to the
 * commands used here begin within 0.1 ms (ISO/IEC 14443-3), and the timer stops when one begins. */
#define TIMER_MODE 0x80
#define TIMER_PRESCALER 0xA9
#define TIMER_RELOAD 40

/* More than the timer's 1 ms and the longest answer, so that the chip decides; one that is gone ends here. */
#define GIVE_UP_MS 5

#define WUPA 0x52
#define CASCADE 0x04 /* the identifier is not complete yet */
#define CASCADE_TAG 0x88

static void put(uint8_t antenna, uint8_t reg, uint8_t value) {
    hal_select(antenna, true);
    hal_exchange((uint8_t)(reg << 1));
    hal_exchange(value);
    hal_select(antenna, false);
}

static uint8_t get(uint8_t antenna, uint8_t reg) {
    hal_select(antenna, true);
    hal_exchange((uint8_t)(0x80 | (reg << 1)));
    uint8_t value = hal_exchange(0);
    hal_select(antenna, false);
    return value;
}

static uint8_t version_of(uint8_t antenna) {
    uint8_t version = get(antenna, VERSION);
    return version == 0xFF ? 0 : version;
}

uint8_t mfrc522_setup(uint8_t antenna) {
    put(antenna, COMMAND, SOFT_RESET);
    uint32_t start = hal_ms();
    while (get(antenna, COMMAND) & 0x10) /* the oscillator starts */
        if (hal_ms() - start > 5)
            return 0;
    uint8_t version = version_of(antenna);
    if (version == 0)
        return 0;
    put(antenna, T_MODE, TIMER_MODE);
    put(antenna, T_PRESCALER, TIMER_PRESCALER);
    put(antenna, T_RELOAD_HIGH, 0);
    put(antenna, T_RELOAD_LOW, TIMER_RELOAD);
    put(antenna, TX_ASK, 0x40);    /* 100 % modulation */
    put(antenna, MODE, 0x3D);      /* CRC of ISO/IEC 14443 A */
    put(antenna, RF_CONFIG, 0x60); /* receiver gain 43 dB */
    put(antenna, COLL, 0);         /* bits after a collision are cleared */
    mfrc522_field(antenna, false);
    return version;
}

bool mfrc522_healthy(uint8_t antenna) {
    return version_of(antenna) != 0 && get(antenna, T_MODE) == TIMER_MODE && get(antenna, TX_ASK) == 0x40;
}

void mfrc522_field(uint8_t antenna, bool on) { put(antenna, TX_CONTROL, on ? 0x83 : 0x80); }

static uint16_t crc_a(const uint8_t *data, uint8_t size) {
    uint16_t crc = 0x6363;
    while (size--) {
        uint8_t byte = (uint8_t)(*data++ ^ crc);
        byte ^= (uint8_t)(byte << 4);
        crc = (uint16_t)((crc >> 8) ^ ((uint16_t)byte << 8) ^ ((uint16_t)byte << 3) ^ (byte >> 4));
    }
    return crc;
}

/* Sends `size` bytes, of the last one `bits` (0: all 8), and expects exactly `expected` whole bytes in `answer`. */
static enum reading transceive(uint8_t antenna, const uint8_t *data, uint8_t size, uint8_t bits, uint8_t *answer,
                               uint8_t expected) {
    put(antenna, COMMAND, IDLE);
    put(antenna, COM_IRQ, 0x7F);
    put(antenna, FIFO_LEVEL, 0x80);
    while (size--)
        put(antenna, FIFO_DATA, *data++);
    put(antenna, BIT_FRAMING, bits);
    put(antenna, COMMAND, TRANSCEIVE);
    put(antenna, BIT_FRAMING, (uint8_t)(0x80 | bits));
    uint8_t irq;
    uint32_t start = hal_ms();
    do
        irq = get(antenna, COM_IRQ);
    while (!(irq & (IRQ_RECEIVED | IRQ_TIMER)) && hal_ms() - start <= GIVE_UP_MS);
    put(antenna, BIT_FRAMING, 0);
    put(antenna, COMMAND, IDLE);
    if (!(irq & IRQ_RECEIVED))
        return READ_NONE;
    uint8_t errors = get(antenna, ERRORS);
    if (errors & ERROR_COLLISION)
        return READ_COLLISION;
    if ((errors & ERROR_OTHER) || get(antenna, FIFO_LEVEL) != expected || (get(antenna, CONTROL) & 7))
        return READ_NOISE;
    while (expected--)
        *answer++ = get(antenna, FIFO_DATA);
    return READ_TAG;
}

/* A tag that fell silent in the middle was at the edge of the field, which is not the same as no tag. */
static enum reading once_begun(enum reading result) { return result == READ_NONE ? READ_NOISE : result; }

/* One level of the cascade: four bytes into `part`, and whether more follow into `more`. */
static enum reading select_level(uint8_t antenna, uint8_t level, uint8_t *part, bool *more) {
    uint8_t frame[9] = {(uint8_t)(0x93 + 2 * level), 0x20};
    enum reading result = transceive(antenna, frame, 2, 0, frame + 2, 5);
    if (result != READ_TAG)
        return once_begun(result);
    if ((frame[2] ^ frame[3] ^ frame[4] ^ frame[5]) != frame[6])
        return READ_NOISE;
    frame[1] = 0x70;
    uint16_t crc = crc_a(frame, 7);
    frame[7] = (uint8_t)crc;
    frame[8] = (uint8_t)(crc >> 8);
    uint8_t sak[3];
    result = transceive(antenna, frame, 9, 0, sak, 3);
    if (result != READ_TAG)
        return once_begun(result);
    if (crc_a(sak, 1) != (uint16_t)(sak[1] | (uint16_t)sak[2] << 8))
        return READ_NOISE;
    memcpy(part, frame + 2, 4);
    *more = (sak[0] & CASCADE) != 0;
    return READ_TAG;
}

enum reading mfrc522_read(uint8_t antenna, struct uid *uid) {
    static const uint8_t wupa = WUPA;
    uint8_t atqa[2];
    enum reading result = transceive(antenna, &wupa, 1, 7, atqa, 2);
    if (result != READ_TAG)
        return result;
    uid->size = 0;
    bool more = true;
    for (uint8_t level = 0; more; level++) {
        uint8_t part[4];
        result = select_level(antenna, level, part, &more);
        if (result != READ_TAG)
            return result;
        if (more && (level == 2 || part[0] != CASCADE_TAG))
            return READ_NOISE;
        uint8_t skip = more ? 1 : 0;
        memcpy(uid->bytes + uid->size, part + skip, (size_t)(4 - skip));
        uid->size = (uint8_t)(uid->size + 4 - skip);
    }
    return READ_TAG;
}

void mfrc522_halt(uint8_t antenna) {
    static const uint8_t halt[4] = {0x50, 0x00, 0x57, 0xCD};
    uint8_t nothing; /* is what the tag answers */
    transceive(antenna, halt, sizeof halt, 0, &nothing, 1);
}
