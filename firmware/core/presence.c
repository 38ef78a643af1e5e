#include "presence.h"

#include "../hal/hal.h"
#include "board.h"
#include "events.h"
#include "protocol.h"
#include <string.h>

/* A chip that does not answer is asked again this often: often enough for a person who pushes a plug back in. */
#define REVIVE_MS 500

struct antenna {
    struct uid tag;
    struct uid candidate;
    uint32_t seen_at;
    uint32_t revive_at;
    uint8_t reads;  /* of the candidate */
    uint8_t misses; /* of the tag */
    uint8_t health;
};

/* A round takes 56 ms with nothing on eight antennas and 87 ms with seven-byte tags on all; begun every 60 ms, or at once
 * if that has passed, a tag is found within 100 ms. Two readings: the CRC of a tag's answers is checked, so one wrong identifier is rare and two equal ones are not to
 * be expected. Three empty ones and 400 ms: a tag at the edge of the field is missed once in 20 readings. */
struct settings presence_settings = {60, 2, 3, 400};

static struct antenna antennas[ANTENNAS];
static uint8_t current = ANTENNAS; /* ANTENNAS: the round is over */
static uint32_t round_at;
static uint32_t field_at;
static bool field_on;

static bool same(const struct uid *a, const struct uid *b) {
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static bool revive(uint8_t at, bool again) {
    struct antenna *antenna = &antennas[at];
    uint8_t version = mfrc522_setup(at);
    antenna->revive_at = hal_ms() + REVIVE_MS;
    if (version == 0)
        return false;
    antenna->health |= ANSWERS;
    if (again)
        antenna->health |= RESTARTED;
    presence_on_setup(at, version, again);
    return true;
}

void presence_init(void) {
    for (uint8_t at = 0; at < ANTENNAS; at++)
        revive(at, false);
    round_at = hal_ms();
}

static void remove_tag(uint8_t at) {
    struct uid gone = antennas[at].tag;
    antennas[at].tag.size = 0;
    events_add(REMOVED, at, &gone);
}

static void place_tag(uint8_t at) {
    struct antenna *antenna = &antennas[at];
    if (antenna->tag.size)
        remove_tag(at);
    antenna->tag = antenna->candidate;
    antenna->reads = 0;
    antenna->misses = 0;
    events_add(PLACED, at, &antenna->tag);
}

/* Returns whether another reading now would settle what this one left open. */
static bool found(uint8_t at, const struct uid *uid) {
    struct antenna *antenna = &antennas[at];
    if (same(uid, &antenna->tag)) {
        antenna->seen_at = hal_ms();
        antenna->misses = 0;
        antenna->reads = 0;
        return false;
    }
    if (antenna->reads == 0 || !same(uid, &antenna->candidate)) {
        antenna->candidate = *uid;
        antenna->reads = 0;
    }
    if (++antenna->reads < presence_settings.arrive_reads)
        return true;
    antenna->seen_at = hal_ms();
    place_tag(at);
    return false;
}

static void missed(uint8_t at) {
    struct antenna *antenna = &antennas[at];
    antenna->reads = 0;
    if (antenna->tag.size == 0)
        return;
    if (antenna->misses < 255)
        antenna->misses++;
    if (antenna->misses >= presence_settings.leave_reads && hal_ms() - antenna->seen_at >= presence_settings.leave_ms)
        remove_tag(at);
}

static void read_antenna(uint8_t at) {
    struct antenna *antenna = &antennas[at];
    struct uid uid;
    uint8_t tries = presence_settings.arrive_reads;
    bool again = true;
    while (again && tries--) {
        again = false;
        switch (mfrc522_read(at, &uid)) {
        case READ_TAG:
            again = found(at, &uid) && tries;
            if (again)
                mfrc522_halt(at);
            break;
        case READ_NONE:
            /* A chip that lost its settings finds nothing either, and nothing must not be taken for "removed". */
            if (mfrc522_healthy(at))
                missed(at);
            else
                antenna->health &= (uint8_t)~ANSWERS;
            break;
        case READ_COLLISION:
            /* Two tags lie there. Which, cannot be told, so what is known stays as it is. */
            antenna->health |= COLLISION;
            antenna->seen_at = hal_ms();
            antenna->misses = 0;
            antenna->reads = 0;
            break;
        case READ_NOISE:
            antenna->health |= NOISE;
            antenna->reads = 0;
            break;
        }
    }
}

/* Turns to the next antenna whose chip answers. */
static void advance(void) {
    while (++current < ANTENNAS) {
        struct antenna *antenna = &antennas[current];
        if ((antenna->health & ANSWERS) && !mfrc522_healthy(current))
            antenna->health &= (uint8_t)~ANSWERS;
        if (!(antenna->health & ANSWERS)) {
            if ((int32_t)(hal_ms() - antenna->revive_at) < 0 || !revive(current, true))
                continue;
        }
        mfrc522_field(current, true);
        field_at = hal_ms();
        field_on = true;
        return;
    }
}

void presence_step(void) {
    uint32_t now = hal_ms();
    if (current >= ANTENNAS) {
        if (now - round_at < presence_settings.poll_ms)
            return;
        round_at = now;
        current = (uint8_t)-1;
        advance();
    } else if (field_on && now - field_at >= MFRC522_GUARD_MS) {
        read_antenna(current);
        mfrc522_field(current, false);
        field_on = false;
        advance();
    }
}

const struct uid *presence_tag(uint8_t antenna) { return &antennas[antenna].tag; }

uint8_t presence_health(uint8_t antenna, bool clear) {
    uint8_t health = antennas[antenna].health;
    if (clear)
        antennas[antenna].health &= ANSWERS;
    return health;
}
