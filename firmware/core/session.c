#include "session.h"

#include "../hal/hal.h"
#include "board.h"
#include "events.h"
#include "feedback.h"
#include "frame.h"
#include "presence.h"
#include "protocol.h"
#include <string.h>

/* A host asks for the status at least every 3 s; three of these may be lost. */
#define SESSION_MS 10000

#define DEVICE_SIZE 8
#define FEATURES (FEATURE_FEEDBACK | FEATURE_CONFIGURE | FEATURE_NOTICES)

static const struct {
    uint8_t role;
    uint8_t number;
    char label[17];
} pads[8] = BOARD_PADS;

static uint8_t device[DEVICE_SIZE];
static uint32_t boot;
static bool open;
static uint16_t features;
static uint32_t heard_at;
static uint32_t heartbeat_at;
static uint16_t heartbeat_ms = 1000;

static uint16_t u16(const uint8_t *data) { return (uint16_t)((uint16_t)data[0] << 8 | data[1]); }

static uint32_t u32(const uint8_t *data) { return (uint32_t)u16(data) << 16 | u16(data + 2); }

static void put_u32(uint8_t *data, uint32_t value) {
    for (uint8_t at = 0; at < 4; at++)
        data[at] = (uint8_t)(value >> (24 - 8 * at));
}

/* The number of this start: one more than that of the last one. */
static void count_boot(void) {
    uint8_t kept[4];
    hal_load(kept, 4, DEVICE_SIZE);
    boot = u32(kept) + 1; /* of new memory: 0 */
    put_u32(kept, boot);
    hal_store(kept, 4, DEVICE_SIZE);
}

/* A small board has no number of its own, so it takes one from the first host that it ever meets. */
static void name_device(uint32_t nonce) {
    uint8_t at = 0;
    while (at < DEVICE_SIZE && device[at] == 0xFF)
        at++;
    if (at < DEVICE_SIZE)
        return;
    memcpy(device, "SHR1", 4);
    put_u32(device + 4, nonce);
    hal_store(device, DEVICE_SIZE, 0);
}

void session_init(void) {
    hal_load(device, DEVICE_SIZE, 0);
    count_boot();
    presence_init();
}

static void refuse(uint8_t type, uint8_t seq, uint8_t code, uint16_t detail) {
    frame_begin(REFUSED, seq);
    frame_u8(type);
    frame_u8(code);
    frame_u16(detail);
    frame_end();
}

static void done(uint8_t type, uint8_t seq) {
    frame_begin(DONE, seq);
    frame_u8(type);
    frame_end();
}

static void close_session(void) {
    open = false;
    events_session(false);
    feedback_reset();
}

static void hello(uint8_t seq, const uint8_t *data) {
    uint8_t low = data[0], high = data[1];
    if (low == 0 || high < low) {
        refuse(HELLO, seq, MALFORMED, 0);
        return;
    }
    if (low > PROTOCOL_VERSION || high < PROTOCOL_VERSION) {
        refuse(HELLO, seq, WRONG_VERSION, PROTOCOL_VERSION << 8 | PROTOCOL_VERSION);
        return;
    }
    uint32_t nonce = u32(data + 4);
    name_device(nonce);
    features = u16(data + 2) & FEATURES;
    close_session();
    open = true;
    events_session(true);
    heartbeat_at = hal_ms();
    frame_begin(WELCOME, seq);
    frame_u8(PROTOCOL_VERSION);
    frame_u16(features);
    frame_u32(nonce);
    frame_bytes(device, DEVICE_SIZE);
    frame_u32(boot);
    frame_u8(hal_reset_reason());
    frame_u8(ANTENNAS);
    frame_u8(WINDOW);
    frame_u8(MAX_FRAME);
    frame_u16(heartbeat_ms);
    frame_u32(events_last());
    frame_text(FIRMWARE_NAME);
    frame_end();
}

static void describe(uint8_t seq, uint8_t antenna) {
    if (antenna >= ANTENNAS) {
        refuse(DESCRIBE, seq, NO_ANTENNA, 0);
        return;
    }
    frame_begin(ANTENNA, seq);
    frame_u8(antenna);
    frame_u8(pads[antenna].role);
    frame_u8(pads[antenna].number);
    frame_u8(READS_ISO14443A);
    frame_u8(1);
    frame_u8(CAN_REMOVAL | CAN_LED | CAN_BUZZER);
    frame_text(pads[antenna].label);
    frame_end();
}

static uint8_t begin_part(uint8_t seq, uint8_t part) {
    frame_begin(TAGS, seq);
    frame_u32(events_last());
    frame_u8(part);
    frame_u8(0);
    frame_u8(0);
    return (uint8_t)(frame_mark() - 2); /* where "last" and the count stand */
}

/* Nothing is read in between, so all parts describe one moment. */
static void snapshot(uint8_t seq) {
    uint8_t part = 0, count = 0;
    uint8_t mark = begin_part(seq, part);
    for (uint8_t antenna = 0; antenna < ANTENNAS; antenna++) {
        const struct uid *tag = presence_tag(antenna);
        if (tag->size == 0)
            continue;
        if (frame_room() < tag->size + 3) {
            frame_set((uint8_t)(mark + 1), count);
            frame_end();
            count = 0;
            mark = begin_part(seq, ++part);
        }
        frame_u8(antenna);
        frame_u8(ISO14443A);
        frame_u8(tag->size);
        frame_bytes(tag->bytes, tag->size);
        count++;
    }
    frame_set(mark, 1);
    frame_set((uint8_t)(mark + 1), count);
    frame_end();
}

static void feedback(uint8_t seq, const uint8_t *data) {
    uint8_t antenna = data[0];
    uint16_t id = u16(data + 1);
    if (id == 0 || data[3] >= PATTERNS || data[4] >= SOUNDS) {
        refuse(FEEDBACK, seq, MALFORMED, 0);
        return;
    }
    if (antenna >= ANTENNAS && antenna != ALL_ANTENNAS) {
        refuse(FEEDBACK, seq, NO_ANTENNA, 0);
        return;
    }
    for (uint8_t at = 0; at < ANTENNAS; at++)
        if (antenna == at || antenna == ALL_ANTENNAS)
            feedback_show(at, id, data[3], data[4], u16(data + 5));
    done(FEEDBACK, seq);
}

static uint16_t within(uint16_t value, uint16_t now, uint16_t low, uint16_t high) {
    if (value == 0)
        return now;
    return value < low ? low : value > high ? high : value;
}

static void configure(uint8_t seq, const uint8_t *data) {
    struct settings *use = &presence_settings;
    use->poll_ms = within(u16(data), use->poll_ms, 20, 5000);
    use->arrive_reads = (uint8_t)within(data[2], use->arrive_reads, 1, 5);
    use->leave_reads = (uint8_t)within(data[3], use->leave_reads, 1, 50);
    use->leave_ms = within(u16(data + 4), use->leave_ms, 1, 10000);
    heartbeat_ms = within(u16(data + 6), heartbeat_ms, 250, 10000);
    frame_begin(CONFIGURED, seq);
    frame_u16(use->poll_ms);
    frame_u8(use->arrive_reads);
    frame_u8(use->leave_reads);
    frame_u16(use->leave_ms);
    frame_u16(heartbeat_ms);
    frame_end();
}

/* What was noted about an antenna is told once, with the heartbeat. */
static void status(uint8_t seq) {
    frame_begin(STATUS, seq);
    frame_u32(hal_ms());
    frame_u32(events_last());
    frame_u16(frame_damaged());
    frame_u16(events_lost());
    frame_u8(ANTENNAS);
    for (uint8_t antenna = 0; antenna < ANTENNAS; antenna++)
        frame_u8(presence_health(antenna, seq == 0));
    frame_end();
}

void presence_on_setup(uint8_t antenna, uint8_t version, bool again) {
    if (!open || !again || !(features & FEATURE_NOTICES))
        return;
    char text[] = "chip 0x00 set up again";
    static const char digits[] = "0123456789ABCDEF";
    text[7] = digits[version >> 4];
    text[8] = digits[version & 15];
    frame_begin(NOTICE, 0);
    frame_u8(LEVEL_WARNING);
    frame_u8(antenna);
    frame_text(text);
    frame_end();
}

/* Bytes that follow the header of a request, or -1 if there is no such request. */
static int8_t payload_size(uint8_t type) {
    static const int8_t sizes[] = {-1, 8, 1, 0, 7, 8, 0, 4, 0};
    return type < sizeof sizes ? sizes[type] : -1;
}

static void handle(const uint8_t *body, uint8_t size) {
    uint8_t type = body[0], seq = body[1];
    const uint8_t *data = body + 2;
    /* What claims to come from a reader is an echo of our own, and nothing without a number can be answered. */
    if (type >= 0x80 || (type == ACK ? seq != 0 : seq == 0))
        return;
    if (type != HELLO && !open) {
        if (type != ACK)
            refuse(type, seq, NO_SESSION, 0);
        return;
    }
    int8_t expected = payload_size(type);
    if (expected < 0 || size - 2 != expected) {
        if (type != ACK)
            refuse(type, seq, expected < 0 ? UNSUPPORTED : MALFORMED, 0);
        return;
    }
    if (open)
        heard_at = hal_ms();
    if ((type == FEEDBACK && !(features & FEATURE_FEEDBACK)) || (type == CONFIGURE && !(features & FEATURE_CONFIGURE))) {
        refuse(type, seq, NOT_ABLE, 0);
        return;
    }
    switch (type) {
    case HELLO:
        hello(seq, data);
        heard_at = hal_ms();
        break;
    case DESCRIBE:
        describe(seq, data[0]);
        break;
    case SNAPSHOT:
        snapshot(seq);
        break;
    case FEEDBACK:
        feedback(seq, data);
        break;
    case CONFIGURE:
        configure(seq, data);
        break;
    case STATUS_REQUEST:
        status(seq);
        break;
    case ACK:
        events_acknowledge(u32(data));
        break;
    case BYE:
        done(BYE, seq);
        close_session();
        break;
    }
}

/* At most one request, so that a host that never stops cannot keep the antennas from being read. */
static void listen(void) {
    int16_t byte;
    while ((byte = hal_receive()) >= 0) {
        uint8_t size = frame_take((uint8_t)byte);
        if (size) {
            handle(frame_received(), size);
            return;
        }
    }
}

void session_step(void) {
    listen();
    presence_step();
    feedback_step();
    if (!open)
        return;
    events_step();
    uint32_t now = hal_ms();
    if (now - heartbeat_at >= heartbeat_ms) {
        heartbeat_at = now;
        status(0);
    }
    if (now - heard_at >= SESSION_MS)
        close_session();
}
