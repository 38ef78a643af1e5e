/* What both runners need: a pseudo-terminal for the serial line, commands on the standard input. */
#ifndef SHOAL_RUNNER_H
#define SHOAL_RUNNER_H

#include <stdbool.h>
#include <stdint.h>

/* Opens the pseudo-terminal and prints "serial PATH". */
void runner_open(void);

/* Microseconds of the board's own time; the runner keeps it, and the command "time" tells it. */
extern uint64_t runner_board_time;

/* A command that only one runner has; returns whether it was one. May be left empty. */
extern bool (*runner_own_command)(const char *line, char *answer, unsigned size);

/* Reads commands that have arrived and answers them. Returns false when the input has ended. */
bool runner_commands(void);

/* A byte of the host, or -1. */
int runner_receive(void);

/* A byte for the host; lost if nobody reads, as on a real line. */
void runner_send(uint8_t byte);
void runner_flush(void);

/* Microseconds of real time. */
uint64_t runner_now(void);
void runner_sleep(uint64_t microseconds);

#endif
