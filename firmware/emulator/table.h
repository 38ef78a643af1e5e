/* A table to run the firmware on: MFRC522 chips, tags that lie on their antennas, lamps, and commands to move things.
 * Written from the chip's data sheet and ISO/IEC 14443-3; shares nothing with the driver. */
#ifndef SHOAL_TABLE_H
#define SHOAL_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define TABLE_ANTENNAS 8

/* The bus, as the board drives it. `now` is in microseconds of the board's own time. */
void table_select(uint8_t antenna, bool on);
uint8_t table_exchange(uint8_t byte, uint64_t now);
void table_latch(void);
void table_buzzer(bool on);

/* Carries out a command line and writes one line of answer; see README.md. Returns false for "quit". What only the
 * runner can do is left in `table_wish`. */
bool table_command(const char *line, char *answer, unsigned size);

enum table_wish { WISH_NONE, WISH_RESET, WISH_POWER, WISH_HANG };
extern enum table_wish table_wish;

/* For an interface that has no shift registers. */
void table_lights(uint8_t green, uint8_t red);

#endif
