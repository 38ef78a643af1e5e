/* The same core as a program of this computer, on the emulated table: for tests, fuzzing and a first try.
 *
 * SHOAL_KEPT in the environment names the file for what survives a power cut. The serial line is a pseudo-terminal, whose name is printed; commands come on the standard input. */
#include "../emulator/runner.h"
#include "../emulator/table.h"
#include "hal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t started;
static uint8_t kept[HAL_KEPT_SIZE];
static const char *kept_path;

static uint64_t micros(void) { return runner_now() - started; }

void hal_init(void) {
    started = runner_now();
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

uint32_t hal_ms(void) { return (uint32_t)(micros() / 1000); }

void hal_idle(void) {
    runner_flush();
    if (!runner_commands())
        exit(0);
    if (table_wish != WISH_NONE)
        exit(table_wish == WISH_HANG ? 3 : 2); /* whoever started this starts it anew */
    runner_sleep(500);
}

uint8_t hal_reset_reason(void) { return 1; }

int16_t hal_receive(void) { return (int16_t)runner_receive(); }

void hal_send(uint8_t byte) { runner_send(byte); }

void hal_select(uint8_t antenna, bool on) { table_select(antenna, on); }

uint8_t hal_exchange(uint8_t byte) { return table_exchange(byte, micros()); }

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
