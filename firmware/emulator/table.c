#include "table.h"

#include <stdio.h>
#include <string.h>

enum { IDLE_STATE, READY, ACTIVE, HALTED, READY_AGAIN, OFF };

struct card {
    uint8_t size;
    uint8_t uid[10];
    uint8_t state;
    uint8_t level; /* of the cascade, while it is selected */
};

#define CARDS 3

struct chip {
    uint8_t reg[64];
    uint8_t fifo[64];
    uint8_t fifo_size;
    struct card cards[CARDS];
    uint64_t event_at; /* when the answer, or the end of the timer, is there */
    uint8_t answer[64];
    uint8_t answer_size, answer_errors;
    bool waiting, answers, field;
    /* Faults that can be ordered. */
    bool dead, high;
    unsigned garble;  /* answers that will arrive damaged */
    unsigned curtail; /* answers to a selection that will say the opposite about whether more follows */
};

static struct chip chips[TABLE_ANTENNAS];
static int selected = -1;
static int address = -1; /* the address byte of the transfer under way */
static uint8_t shift[2];
static uint8_t green_lamps, red_lamps;
static bool sounding;
static unsigned beeps;
static unsigned overlap; /* how often two fields were on at once */
static uint64_t round_start, round_time; /* from the first field on to the last one off, in microseconds */
enum table_wish table_wish;

static void reset_chip(struct chip *chip) {
    memset(chip->reg, 0, sizeof chip->reg);
    chip->reg[0x01] = 0x20;
    chip->reg[0x14] = 0x80;
    chip->reg[0x2B] = 0;
    chip->reg[0x37] = 0x92;
    chip->fifo_size = 0;
    chip->waiting = false;
    chip->field = false;
}

static uint16_t crc_of(const uint8_t *data, unsigned size) {
    uint16_t crc = 0x6363; /* ISO/IEC 14443-3, bit by bit */
    for (unsigned at = 0; at < size; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            unsigned mix = (crc ^ (data[at] >> bit)) & 1;
            crc = (uint16_t)(crc >> 1);
            if (mix)
                crc ^= 0x8408;
        }
    return crc;
}

static unsigned levels_of(const struct card *card) { return card->size == 4 ? 1 : card->size == 7 ? 2 : 3; }

/* The four bytes and their check that a card says at a level of the cascade. */
static void part_of(const struct card *card, unsigned level, uint8_t part[5]) {
    if (level + 1 < levels_of(card)) {
        part[0] = 0x88;
        memcpy(part + 1, card->uid + 3 * level, 3);
    } else {
        memcpy(part, card->uid + 3 * level, 4);
    }
    part[4] = part[0] ^ part[1] ^ part[2] ^ part[3];
}

static uint8_t answer_of(struct card *card, const uint8_t *sent, uint8_t size, uint8_t bits, uint8_t *answer) {
    if (size == 1 && bits == 7) {
        bool wakes = sent[0] == 0x52 && (card->state == HALTED);
        if (wakes || (card->state == IDLE_STATE && (sent[0] == 0x26 || sent[0] == 0x52))) {
            card->state = READY;
            card->level = 0;
            answer[0] = (uint8_t)(card->size == 4 ? 0x04 : card->size == 7 ? 0x44 : 0x84);
            answer[1] = 0;
            return 2;
        }
        if (card->state != HALTED)
            card->state = IDLE_STATE;
        return 0;
    }
    if (size == 4 && sent[0] == 0x50) {
        if (card->state == ACTIVE)
            card->state = HALTED;
        return 0;
    }
    if (card->state != READY)
        return 0;
    if (size < 2 || sent[0] != 0x93 + 2 * card->level)
        return 0;
    uint8_t part[5];
    part_of(card, card->level, part);
    if (size == 2 && sent[1] == 0x20) {
        memcpy(answer, part, 5);
        return 5;
    }
    if (size == 9 && sent[1] == 0x70 && crc_of(sent, 7) == (sent[7] | sent[8] << 8)) {
        if (memcmp(part, sent + 2, 5) != 0) {
            card->state = IDLE_STATE;
            return 0;
        }
        bool more = card->level + 1u < levels_of(card);
        answer[0] = more ? 0x04 : 0x00;
        uint16_t crc = crc_of(answer, 1);
        answer[1] = (uint8_t)crc;
        answer[2] = (uint8_t)(crc >> 8);
        card->level++;
        if (!more)
            card->state = ACTIVE;
        return 3;
    }
    return 0;
}

static void transmit(struct chip *chip, uint64_t now) {
    uint8_t sent[64];
    uint8_t size = chip->fifo_size;
    memcpy(sent, chip->fifo, size);
    chip->fifo_size = 0;
    chip->answer_size = 0;
    chip->answer_errors = 0;
    for (unsigned at = 0; chip->field && at < CARDS; at++) {
        struct card *card = &chip->cards[at];
        uint8_t answer[64];
        uint8_t length = card->size ? answer_of(card, sent, size, chip->reg[0x0D] & 7, answer) : 0;
        if (length == 0)
            continue;
        if (chip->answer_size && (length != chip->answer_size || memcmp(answer, chip->answer, length) != 0))
            chip->answer_errors |= 0x08; /* bits collide */
        chip->answer_size = length;
        memcpy(chip->answer, answer, length);
    }
    if (chip->answer_size && chip->garble) {
        chip->garble--;
        chip->answer[0] ^= 0x10;
        if (chip->answer_size != 5 && chip->answer_size != 3)
            chip->answer_errors |= 0x02; /* parity */
    }
    if (chip->answer_size == 3 && chip->curtail) {
        chip->curtail--;
        chip->answer[0] ^= 0x04;
    }
    /* 9.4 us a bit; then the answer begins after 91 us, or the timer runs out. */
    uint64_t sending = (uint64_t)size * 85;
    unsigned prescaler = (unsigned)(chip->reg[0x2A] & 15) << 8 | chip->reg[0x2B];
    unsigned reload = (unsigned)chip->reg[0x2C] << 8 | chip->reg[0x2D];
    uint64_t timer = (uint64_t)(2 * prescaler + 1) * (reload + 1) * 100 / 1356;
    chip->answers = chip->answer_size != 0;
    chip->event_at = now + sending + (chip->answers ? 91 + chip->answer_size * 85u : timer);
    chip->waiting = true;
}

static void settle(struct chip *chip, uint64_t now) {
    if (!chip->waiting || now < chip->event_at)
        return;
    chip->waiting = false;
    if (!chip->answers) {
        if (chip->reg[0x2A] & 0x80)
            chip->reg[0x04] |= 0x01;
        return;
    }
    memcpy(chip->fifo, chip->answer, chip->answer_size);
    chip->fifo_size = chip->answer_size;
    chip->reg[0x06] = chip->answer_errors;
    chip->reg[0x0C] = 0;
    chip->reg[0x04] |= 0x20;
}

static void set_field(struct chip *chip, bool on, uint64_t now) {
    if (on && chip == &chips[0])
        round_start = now;
    if (!on && chip->field && chip == &chips[TABLE_ANTENNAS - 1])
        round_time = now - round_start;
    if (on && !chip->field) {
        for (unsigned at = 0; at < CARDS; at++)
            chip->cards[at].state = IDLE_STATE;
        for (unsigned other = 0; other < TABLE_ANTENNAS; other++)
            if (&chips[other] != chip && chips[other].field)
                overlap++;
    }
    chip->field = on;
}

static void write_register(struct chip *chip, uint8_t reg, uint8_t value, uint64_t now) {
    switch (reg) {
    case 0x01:
        if ((value & 15) == 0x0F) {
            reset_chip(chip);
            return;
        }
        chip->reg[reg] = value;
        if ((value & 15) == 0)
            chip->waiting = false;
        return;
    case 0x04: /* bit 7 says whether the marked bits are set or cleared */
        if (value & 0x80)
            chip->reg[reg] |= value & 0x7F;
        else
            chip->reg[reg] &= (uint8_t)~value;
        return;
    case 0x09:
        if (chip->fifo_size < sizeof chip->fifo)
            chip->fifo[chip->fifo_size++] = value;
        return;
    case 0x0A:
        if (value & 0x80)
            chip->fifo_size = 0;
        return;
    case 0x0D:
        chip->reg[reg] = value & 0x7F;
        if ((value & 0x80) && (chip->reg[0x01] & 15) == 0x0C)
            transmit(chip, now);
        return;
    case 0x14:
        set_field(chip, (value & 3) == 3, now);
        break;
    case 0x37:
        return;
    }
    chip->reg[reg] = value;
}

static uint8_t read_register(struct chip *chip, uint8_t reg, uint64_t now) {
    settle(chip, now);
    if (reg == 0x0A)
        return chip->fifo_size;
    if (reg != 0x09)
        return chip->reg[reg];
    if (chip->fifo_size == 0)
        return 0;
    uint8_t first = chip->fifo[0];
    memmove(chip->fifo, chip->fifo + 1, --chip->fifo_size);
    return first;
}

void table_select(uint8_t antenna, bool on) {
    if (on)
        selected = antenna;
    else if (selected == antenna)
        selected = -1;
    address = -1;
}

uint8_t table_exchange(uint8_t byte, uint64_t now) {
    shift[1] = shift[0];
    shift[0] = byte;
    if (selected < 0)
        return 0xFF;
    struct chip *chip = &chips[selected];
    if (chip->reg[0x37] == 0)
        reset_chip(chip); /* power on */
    if (chip->dead)
        return chip->high ? 0xFF : 0x00;
    if (address < 0) {
        address = byte;
        return 0;
    }
    uint8_t reg = (uint8_t)((address >> 1) & 0x3F);
    if (address & 0x80) {
        address = byte; /* the next address may follow at once */
        return read_register(chip, reg, now);
    }
    write_register(chip, reg, byte, now);
    return 0;
}

void table_lights(uint8_t green, uint8_t red) {
    green_lamps = green;
    red_lamps = red;
}

void table_latch(void) { table_lights(shift[0], shift[1]); }

void table_buzzer(bool on) {
    if (on && !sounding)
        beeps++;
    sounding = on;
}

static bool parse_uid(const char *text, struct card *card) {
    size_t length = strlen(text);
    if (length != 8 && length != 14 && length != 20)
        return false;
    card->size = (uint8_t)(length / 2);
    for (unsigned at = 0; at < card->size; at++) {
        unsigned value;
        if (sscanf(text + 2 * at, "%2x", &value) != 1)
            return false;
        card->uid[at] = (uint8_t)value;
    }
    card->state = IDLE_STATE;
    return true;
}

static const char *place(struct chip *chip, const char *text) {
    struct card card = {0};
    if (!parse_uid(text, &card))
        return "error: no identifier of 4, 7 or 10 bytes";
    for (unsigned at = 0; at < CARDS; at++)
        if (chip->cards[at].size == 0) {
            chip->cards[at] = card;
            return "ok";
        }
    return "error: the antenna is full";
}

static const char *lift(struct chip *chip, const char *text) {
    struct card card = {0};
    bool all = text[0] == 0;
    if (!all && !parse_uid(text, &card))
        return "error: no identifier of 4, 7 or 10 bytes";
    bool found = false;
    for (unsigned at = 0; at < CARDS; at++) {
        struct card *here = &chip->cards[at];
        if (here->size && (all || (here->size == card.size && memcmp(here->uid, card.uid, card.size) == 0))) {
            here->size = 0;
            found = true;
        }
    }
    return found ? "ok" : "error: no such tag there";
}

static const char *antenna_command(const char *verb, struct chip *chip, const char *rest) {
    unsigned count;
    if (strcmp(verb, "place") == 0)
        return place(chip, rest);
    if (strcmp(verb, "lift") == 0)
        return lift(chip, rest);
    if (strcmp(verb, "unplug") == 0) {
        chip->dead = true;
        chip->high = strcmp(rest, "high") == 0;
        return "ok";
    }
    if (strcmp(verb, "plug") == 0) {
        chip->dead = false;
        reset_chip(chip);
        return "ok";
    }
    if (strcmp(verb, "dip") == 0) {
        reset_chip(chip);
        return "ok";
    }
    if (strcmp(verb, "garble") == 0 && sscanf(rest, "%u", &count) == 1) {
        chip->garble = count;
        return "ok";
    }
    if (strcmp(verb, "curtail") == 0 && sscanf(rest, "%u", &count) == 1) {
        chip->curtail = count;
        return "ok";
    }
    return NULL;
}

bool table_command(const char *line, char *answer, unsigned size) {
    char verb[16] = "", rest[32] = "";
    unsigned antenna = 0;
    int words = sscanf(line, "%15s %u %31s", verb, &antenna, rest);
    const char *said = NULL;
    if (words >= 2 && antenna < TABLE_ANTENNAS)
        said = antenna_command(verb, &chips[antenna], rest);
    if (said == NULL) {
        said = "ok";
        if (strcmp(verb, "quit") == 0)
            return false;
        if (strcmp(verb, "reset") == 0)
            table_wish = WISH_RESET;
        else if (strcmp(verb, "power") == 0)
            table_wish = WISH_POWER;
        else if (strcmp(verb, "hang") == 0)
            table_wish = WISH_HANG;
        else if (strcmp(verb, "lamps") == 0) {
            snprintf(answer, size, "ok green=%02X red=%02X beeps=%u", green_lamps, red_lamps, beeps);
            return true;
        } else if (strcmp(verb, "fields") == 0) {
            snprintf(answer, size, "ok overlap=%u round_us=%u", overlap, (unsigned)round_time);
            return true;
        } else
            said = "error: no such command";
    }
    snprintf(answer, size, "%s", said);
    return true;
}
