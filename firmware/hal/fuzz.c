/* The core under a host that says anything and a table where anything happens, on a clock of its own, as fast as it can.
 *
 *   fuzz SEED BYTES
 *
 * A third of what the host says is noise, a third frames that are sound and say anything, a third requests that make
 * sense with a byte changed now and then. At the end the reader must still answer. Built with sanitizers. */
#include "../core/frame.h"
#include "../core/session.h"
#include "../emulator/table.h"
#include "hal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state;
static uint64_t board_time;
static uint8_t input[256];
static unsigned input_at, input_size;
static unsigned long long taken, wanted;
static bool drained;
static uint8_t kept[HAL_KEPT_SIZE];

/* What the reader says, checked as a host would. */
static uint8_t answer[256];
static unsigned answer_size;
static unsigned long long answers;
static bool greeted, in_session;
static uint32_t last_event;

static uint32_t draw(uint32_t below) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32) % below;
}

static void fail(const char *what) {
    fprintf(stderr, "ERROR: %s after %llu bytes\n", what, taken);
    exit(1);
}

static void stuff(const uint8_t *body, unsigned size) {
    uint8_t data[128];
    memcpy(data, body, size);
    uint16_t crc = crc16(body, (uint8_t)size);
    data[size] = (uint8_t)(crc >> 8);
    data[size + 1] = (uint8_t)crc;
    size += 2;
    input[input_size++] = 0;
    unsigned start = 0;
    for (unsigned at = 0; at <= size; at++)
        if (at == size || data[at] == 0) {
            input[input_size++] = (uint8_t)(at - start + 1);
            while (start < at)
                input[input_size++] = data[start++];
            start = at + 1;
        }
    input[input_size++] = 0;
}

/* Where there is no session, or once in a while. */
static bool time_to_greet(void) { return !in_session || draw(400) == 0; }

static void request(void) {
    static const uint8_t sizes[9] = {0, 8, 1, 0, 7, 8, 0, 4, 0};
    uint8_t type = (uint8_t)(1 + draw(8));
    uint8_t body[16] = {type, (uint8_t)(type == 7 ? 0 : 1 + draw(255))};
    unsigned size = 2u + sizes[type];
    for (unsigned at = 2; at < size; at++)
        body[at] = (uint8_t)draw(draw(2) ? 256 : 8);
    if (type == 1)
        body[2] = body[3] = 1;
    if ((type == 1 && !time_to_greet()) || (type == 8 && draw(400))) {
        body[0] = 6; /* a session should last for a while */
        size = 2;
    }
    if (type == 7 && (taken >> 17 & 1)) { /* for a while nothing is acknowledged */
        body[0] = 3;
        body[1] = 1;
        size = 2;
    } else if (type == 7 && draw(4))
        for (unsigned at = 0; at < 4; at++)
            body[2 + at] = (uint8_t)((last_event - draw(4)) >> (24 - 8 * at));
    stuff(body, size);
    if (draw(10) == 0)
        input[draw(input_size)] = (uint8_t)draw(256);
}

static void refill(void) {
    input_at = input_size = 0;
    uint8_t body[94];
    unsigned size;
    switch (draw(3)) {
    case 0:
        size = 1 + draw(200);
        while (input_size < size)
            input[input_size++] = (uint8_t)draw(draw(2) ? 256 : 10);
        break;
    case 1:
        size = 1 + draw(sizeof body);
        for (unsigned at = 0; at < size; at++)
            body[at] = (uint8_t)draw(draw(2) ? 256 : 10);
        stuff(body, size);
        break;
    default:
        request();
    }
}

static void stir_table(void) {
    static const char *const verbs[] = {"place", "place", "lift", "unplug", "plug", "dip", "garble", "curtail"};
    static const char *const tags[] = {"04A3C6CAE26180", "DEADBEEF", "04112233445566778899", "0463F80A4F5381"};
    char line[64], said[128];
    const char *verb = verbs[draw(8)];
    snprintf(line, sizeof line, "%s %u %s", verb, (unsigned)draw(8), verb[0] == 'g' || verb[0] == 'c' ? "3" : tags[draw(4)]);
    table_command(line, said, sizeof said);
}

static void check_answer(void) {
    uint8_t data[256];
    unsigned size = 0, at = 0;
    while (at < answer_size) {
        unsigned run = answer[at];
        if (run == 0 || at + run > answer_size)
            fail("an answer that is no frame");
        memcpy(data + size, answer + at + 1, run - 1);
        size += run - 1;
        at += run;
        if (at < answer_size)
            data[size++] = 0;
    }
    if (size < 4 || size > MAX_FRAME || crc16(data, (uint8_t)size) != 0)
        fail("an answer with a wrong check");
    if (data[0] < 0x80)
        fail("a message of a host");
    greeted = greeted || data[0] == WELCOME;
    if (data[0] == WELCOME)
        in_session = true;
    if ((data[0] == REFUSED && data[3] == NO_SESSION) || (data[0] == DONE && data[2] == BYE))
        in_session = false;
    if (data[0] == TAG)
        last_event = (uint32_t)data[2] << 24 | (uint32_t)data[3] << 16 | (uint32_t)data[4] << 8 | data[5];
    answers++;
}

void hal_init(void) { memset(kept, 0xFF, sizeof kept); }

uint32_t hal_ms(void) { return (uint32_t)(board_time / 1000); }

void hal_idle(void) {
    board_time += 500;
    if (draw(50) == 0)
        stir_table();
    if (draw(20000) == 0)
        board_time += 11000000; /* the session ends */
}

uint8_t hal_reset_reason(void) { return 1; }

int16_t hal_receive(void) {
    if (input_at == input_size) {
        if (taken >= wanted) {
            drained = true;
            return -1;
        }
        if (draw(20)) /* time for the table too */
            return -1;
        refill();
    }
    taken++;
    return input[input_at++];
}

void hal_send(uint8_t byte) {
    if (byte != 0) {
        if (answer_size == sizeof answer)
            fail("an answer without an end");
        answer[answer_size++] = byte;
        return;
    }
    if (answer_size)
        check_answer();
    answer_size = 0;
}

void hal_select(uint8_t antenna, bool on) { table_select(antenna, on); }

uint8_t hal_exchange(uint8_t byte) {
    board_time += 4;
    return table_exchange(byte, board_time);
}

void hal_lights(uint8_t green, uint8_t red) { table_lights(green, red); }

void hal_buzzer(bool on) { table_buzzer(on); }

void hal_load(uint8_t *data, uint8_t size, uint8_t from) { memcpy(data, kept + from, size); }

void hal_store(const uint8_t *data, uint8_t size, uint8_t from) { memcpy(kept + from, data, size); }

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: fuzz SEED BYTES\n");
        return 2;
    }
    random_state = strtoull(arguments[1], NULL, 10) * 2654435761u + 1;
    wanted = strtoull(arguments[2], NULL, 10);
    hal_init();
    session_init();
    while (!drained) {
        session_step();
        hal_idle();
    }
    if (!greeted)
        fail("no session at all");
    /* One more greeting, after whatever there was. */
    greeted = false;
    static const uint8_t hello[] = {1, 9, 1, 1, 0, 7, 1, 2, 3, 4};
    input_at = input_size = 0;
    stuff(hello, sizeof hello);
    for (unsigned turn = 0; turn < 10 && !greeted; turn++)
        session_step();
    if (!greeted)
        fail("no answer to the last greeting");
    printf("%llu bytes, %llu answers\n", taken, answers);
    return 0;
}
