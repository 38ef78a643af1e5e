/* Lights and buzzer, by the clock. */
#ifndef SHOAL_FEEDBACK_H
#define SHOAL_FEEDBACK_H

#include <stdbool.h>
#include <stdint.h>

/* All lights off, all ids forgotten: a session begins or ends. */
void feedback_reset(void);

/* Does it unless `id` is the one done last for this antenna; `duration` 0 ms is "until something else". */
void feedback_show(uint8_t antenna, uint16_t id, uint8_t pattern, uint8_t sound, uint16_t duration);

/* Brings lights and buzzer up to date; call at least every 10 ms. */
void feedback_step(void);

#endif
