/* What the core needs of a board. One file of this folder implements it for each board. */
#ifndef SHOAL_HAL_H
#define SHOAL_HAL_H

#include <stdbool.h>
#include <stdint.h>

void hal_init(void);

/* Milliseconds since the start; wraps after 49 days. */
uint32_t hal_ms(void);

/* Sleeps until something may have happened, at most about a millisecond. Also tells the watchdog that all is well. */
void hal_idle(void);

/* Why the processor started: the values of "reset" in the protocol. */
uint8_t hal_reset_reason(void);

/* A byte of the host, or -1 if there is none. */
int16_t hal_receive(void);

/* Gives a byte to the host; waits while there is no room. */
void hal_send(uint8_t byte);

/* Pulls the select line of one antenna's chip low, or lets it go. */
void hal_select(uint8_t antenna, bool on);

/* Exchanges a byte on the bus. Must return even if nothing is there. */
uint8_t hal_exchange(uint8_t byte);

/* Lights: bit n of each is the lamp of antenna n. */
void hal_lights(uint8_t green, uint8_t red);
void hal_buzzer(bool on);

/* Memory that survives a power cut: at least 12 bytes, 0xFF when new. */
#define HAL_KEPT_SIZE 12
void hal_load(uint8_t *data, uint8_t size, uint8_t from);
void hal_store(const uint8_t *data, uint8_t size, uint8_t from);

#endif
