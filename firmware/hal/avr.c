/* ATmega328P: an Arduino Uno, Nano or Pro Mini. firmware/README.md has the wiring.
 *
 *   D0, D1      serial line
 *   D2 .. D9    select lines of antennas 0 to 7 (PD2 .. PD7, PB0, PB1)
 *   D10         latch of two 74HC595 in a row: first red, then green lamps
 *   D11 .. D13  bus: MOSI, MISO, clock
 *   A0          buzzer
 *
 * Timer 1 keeps the time. */
#include "hal.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#ifndef BAUD
#define BAUD 115200UL
#endif

#define LATCH (1 << PB2)
#define BUZZER (1 << PC0)

/* Powers of two. While one antenna is read, up to 30 ms, the interrupt stores what the host sends; a host that keeps
 * to one request at a time sends no more than 100 bytes in that time. */
#define INPUT_SIZE 128
#define OUTPUT_SIZE 64

static volatile uint32_t milliseconds;
static volatile uint8_t input[INPUT_SIZE];
static volatile uint8_t input_head, input_tail;
static volatile uint8_t output[OUTPUT_SIZE];
static volatile uint8_t output_head, output_tail;
static uint8_t reset_flags __attribute__((section(".noinit")));

/* Before anything else: a watchdog stays on after it has bitten, with its shortest time. */
void hal_early(void) __attribute__((naked, used, section(".init3")));
void hal_early(void) {
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

ISR(TIMER1_COMPA_vect) { milliseconds++; }

ISR(USART_RX_vect) {
    uint8_t byte = UDR0;
    uint8_t next = (uint8_t)((input_head + 1) & (INPUT_SIZE - 1));
    if (next != input_tail) { /* otherwise it is lost, and the check of its frame fails */
        input[input_head] = byte;
        input_head = next;
    }
}

ISR(USART_UDRE_vect) {
    if (output_tail == output_head) {
        UCSR0B &= (uint8_t)~(1 << UDRIE0);
        return;
    }
    UDR0 = output[output_tail];
    output_tail = (uint8_t)((output_tail + 1) & (OUTPUT_SIZE - 1));
}

static void select_lines_high(void) {
    PORTD |= 0xFC;
    PORTB |= (1 << PB0) | (1 << PB1);
    DDRD |= 0xFC;
    DDRB |= (1 << PB0) | (1 << PB1);
}

void hal_init(void) {
    select_lines_high();
    DDRB |= LATCH | (1 << PB3) | (1 << PB5);
    DDRC |= BUZZER;
    SPCR = (1 << SPE) | (1 << MSTR); /* mode 0 */
    SPSR = 1 << SPI2X;               /* half the clock: 8 MHz, and the chip takes 10 */
    UBRR0 = (uint16_t)((F_CPU + BAUD * 4) / (BAUD * 8) - 1);
    UCSR0A = (1 << U2X0);
    UCSR0C = (1 << UCSZ01) | (1 << UCSZ00);
    UCSR0B = (1 << RXEN0) | (1 << TXEN0) | (1 << RXCIE0);
    TIMSK1 = 1 << OCIE1A;
    OCR1A = (uint16_t)(F_CPU / 64 / 1000 - 1);
    TCCR1B = (1 << WGM12) | (1 << CS11) | (1 << CS10);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    wdt_enable(WDTO_1S);
}

uint32_t hal_ms(void) {
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { now = milliseconds; }
    return now;
}

void hal_idle(void) {
    wdt_reset();
    cli();
    if (input_head == input_tail) {
        sleep_enable();
        sei(); /* takes effect after the next instruction, so that no interrupt slips in between */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

uint8_t hal_reset_reason(void) {
    /* After a power cut the brown-out flag is set too. */
    if (reset_flags & (1 << PORF))
        return 1;
    if (reset_flags & (1 << WDRF))
        return 3;
    if (reset_flags & (1 << BORF))
        return 4;
    if (reset_flags & (1 << EXTRF))
        return 2;
    return 0;
}

int16_t hal_receive(void) {
    if (input_head == input_tail)
        return -1;
    uint8_t byte = input[input_tail];
    input_tail = (uint8_t)((input_tail + 1) & (INPUT_SIZE - 1));
    return byte;
}

void hal_send(uint8_t byte) {
    uint8_t next = (uint8_t)((output_head + 1) & (OUTPUT_SIZE - 1));
    while (next == output_tail)
        ;
    output[output_head] = byte;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        output_head = next;
        UCSR0B |= 1 << UDRIE0;
    }
}

void hal_select(uint8_t antenna, bool on) {
    volatile uint8_t *port = antenna < 6 ? &PORTD : &PORTB;
    uint8_t bit = (uint8_t)(antenna < 6 ? 4 << antenna : 1 << (antenna - 6));
    if (on)
        *port &= (uint8_t)~bit;
    else
        *port |= bit;
}

uint8_t hal_exchange(uint8_t byte) {
    SPDR = byte;
    /* A byte takes 16 cycles; where the bus does not work at all, an answer of ones says so. */
    for (uint8_t wait = 0; wait < 100; wait++)
        if (SPSR & (1 << SPIF))
            return SPDR;
    return 0xFF;
}

void hal_lights(uint8_t green, uint8_t red) {
    hal_exchange(red);
    hal_exchange(green);
    PORTB |= LATCH;
    PORTB &= (uint8_t)~LATCH;
}

void hal_buzzer(bool on) {
    if (on)
        PORTC |= BUZZER;
    else
        PORTC &= (uint8_t)~BUZZER;
}

void hal_load(uint8_t *data, uint8_t size, uint8_t from) { eeprom_read_block(data, (void *)(uintptr_t)from, size); }

void hal_store(const uint8_t *data, uint8_t size, uint8_t from) {
    eeprom_update_block(data, (void *)(uintptr_t)from, size);
}
