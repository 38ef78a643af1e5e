/* Numbered tag events, kept until the host has acknowledged them. */
#ifndef SHOAL_EVENTS_H
#define SHOAL_EVENTS_H

#include "mfrc522.h"
#include <stdbool.h>
#include <stdint.h>

/* How many events wait at most; the oldest one gives way, and the host sees the gap. */
#define WINDOW 8

/* Forgets what waits, because a session begins or ends; the numbers go on. */
void events_session(bool open);

void events_add(uint8_t change, uint8_t antenna, const struct uid *uid);
void events_acknowledge(uint32_t number);

/* Sends again what has waited too long. */
void events_step(void);

uint32_t events_last(void);

/* Events that gave way before they were acknowledged, modulo 65,536. */
uint16_t events_lost(void);

#endif
