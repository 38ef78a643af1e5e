/* The same core as a program of this computer, on the emulated table: for tests, fuzzing and a first try.
 *
 * SHOAL_KEPT in the environment names the file for what survives a power cut. The serial line is a pseudo-terminal, whose name is printed; commands come on the standard input. */
#include "../emulator/runner.h"
#include "../emulator/table.h"
#include "hal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The board's own time in microseconds. It goes on with what the core does, and only hal_idle() brings it together with
 * real time: a computer that is busy elsewhere makes this board slow, but never late. */
#define IDLE 500   /* one turn of the main loop */
#define EXCHANGE 4 /* a byte on the bus of a small board, with the instructions around it */
static uint64_t board_time;
static uint64_t offset; /* real time minus board time */
static uint8_t kept[HAL_KEPT_SIZE];
static const char *kept_path;

void hal_init(void) {
    offset = runner_now();
    kept_path = getenv("SHOAL_KEPT");
    memset(kept, 0xFF, sizeof kept);
    FILE *file = kept_path ? fopen(kept_path, "rb") : NULL;
    if (file) {
        if (fread(kept, 1, sizeof kept, file) != sizeof kept)
            memset(kept, 0xFF, sizeof kept);
        fclose(file);
    }
    runner_open();
}

uint32_t hal_ms(void) { return (uint32_t)(board_time / 1000); }

void hal_idle(void) {
    runner_flush();
    if (!runner_commands())
        exit(0);
    if (table_wish != WISH_NONE)
        exit(table_wish == WISH_HANG ? 3 : 2); /* whoever started this starts it anew */
    board_time += IDLE;
    runner_board_time = board_time;
    uint64_t real = runner_now() - offset;
    if (board_time > real)
        runner_sleep(board_time - real);
    else if (real > board_time + 50000)
        offset += real - board_time; /* lost time is not caught up in a burst */
}

uint8_t hal_reset_reason(void) { return 1; }

int16_t hal_receive(void) { return (int16_t)runner_receive(); }

void hal_send(uint8_t byte) { runner_send(byte); }

void hal_select(uint8_t antenna, bool on) { table_select(antenna, on); }

uint8_t hal_exchange(uint8_t byte) {
    board_time += EXCHANGE;
    return table_exchange(byte, board_time);
}

void hal_lights(uint8_t green, uint8_t red) { table_lights(green, red); }

void hal_buzzer(bool on) { table_buzzer(on); }

void hal_load(uint8_t *data, uint8_t size, uint8_t from) { memcpy(data, kept + from, size); }

void hal_store(const uint8_t *data, uint8_t size, uint8_t from) {
    memcpy(kept + from, data, size);
    FILE *file = kept_path ? fopen(kept_path, "wb") : NULL;
    if (file) {
        fwrite(kept, 1, sizeof kept, file);
        fclose(file);
    }
}
