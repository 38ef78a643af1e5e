#include "events.h"

#include "../hal/hal.h"
#include "frame.h"
#include "protocol.h"
#include <string.h>

#define REPEAT_MS 250

struct event {
    uint32_t at;
    uint8_t change;
    uint8_t antenna;
    struct uid uid;
};

static struct event waiting[WINDOW]; /* the oldest first, numbered up to `last` */
static uint8_t count;
static uint32_t last;
static uint16_t lost;
static uint32_t sent_at;
static bool in_session;

static void send(const struct event *event, uint32_t number) {
    frame_begin(TAG, 0);
    frame_u32(number);
    frame_u8(event->change);
    frame_u8(event->antenna);
    frame_u8(ISO14443A);
    frame_u8(SIGNAL_UNKNOWN);
    frame_u32(event->at);
    frame_u8(event->uid.size);
    frame_bytes(event->uid.bytes, event->uid.size);
    frame_end();
}

static void drop(uint8_t number) {
    count = (uint8_t)(count - number);
    memmove(waiting, waiting + number, count * sizeof *waiting);
}

void events_session(bool open) {
    in_session = open;
    count = 0;
}

void events_add(uint8_t change, uint8_t antenna, const struct uid *uid) {
    last++;
    if (!in_session)
        return; /* the snapshot at the beginning of a session tells the outcome */
    if (count == WINDOW) {
        drop(1);
        lost++;
    }
    struct event *event = &waiting[count++];
    event->at = hal_ms();
    event->change = change;
    event->antenna = antenna;
    event->uid = *uid;
    if (count == 1)
        sent_at = event->at;
    send(event, last);
}

void events_acknowledge(uint32_t number) {
    uint32_t before = last - count; /* the number in front of the oldest one that waits */
    if (number > before && number <= last) {
        drop((uint8_t)(number - before));
        sent_at = hal_ms();
    }
}

void events_step(void) {
    if (count == 0 || hal_ms() - sent_at < REPEAT_MS)
        return;
    sent_at = hal_ms();
    for (uint8_t at = 0; at < count; at++)
        send(&waiting[at], last - count + at + 1);
}

uint32_t events_last(void) { return last; }

uint16_t events_lost(void) { return lost; }
