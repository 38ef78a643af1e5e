/* Runs the image for the ATmega328P, unchanged, in simavr, on the emulated table.
 *
 *   board IMAGE.elf
 *
 * The serial line is a pseudo-terminal, whose name is printed; commands come on the standard input. The processor runs
 * at its real speed, or as fast as this computer can if that is slower. */
#include "runner.h"
#include "table.h"

#include <simavr/avr_eeprom.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK 16000000ULL
#define CYCLES_PER_MICROSECOND (CLOCK / 1000000)
/* Ten bits at 115,200 a second: the line is no faster than a real one. */
#define CYCLES_PER_BYTE (CLOCK * 10 / 115200)

static avr_t *avr;
static avr_irq_t *uart_input;
static bool room = true;

/* simavr takes 100 us for a byte on the bus, whatever the clock. This one takes as long as the real one, and for the
 * same reason it stands here: a round over eight antennas would be many times slower than on a board. */
#define SPCR_AT 0x4C
#define SPSR_AT 0x4D
#define SPDR_AT 0x4E
#define SPIF 0x80
static uint8_t spi_byte;

static avr_cycle_count_t on_spi_end(avr_t *self, avr_cycle_count_t when, void *param) {
    (void)when, (void)param;
    self->data[SPSR_AT] |= SPIF;
    return 0;
}

static void on_spi_write(struct avr_t *self, avr_io_addr_t address, uint8_t value, void *param) {
    (void)address, (void)param;
    static const uint8_t dividers[4] = {4, 16, 64, 128};
    uint8_t control = self->data[SPCR_AT];
    if ((control & 0x50) != 0x50) /* on, and master */
        return;
    unsigned divider = dividers[control & 3] / ((self->data[SPSR_AT] & 1) + 1u);
    self->data[SPSR_AT] &= (uint8_t)~SPIF;
    spi_byte = table_exchange(value, self->cycle / CYCLES_PER_MICROSECOND);
    avr_cycle_timer_register(self, 8 * divider, on_spi_end, NULL);
}

static uint8_t on_spi_read(struct avr_t *self, avr_io_addr_t address, void *param) {
    (void)address, (void)param;
    self->data[SPSR_AT] &= (uint8_t)~SPIF;
    return spi_byte;
}

static void on_select(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    table_select((uint8_t)(uintptr_t)param, value == 0);
}

static void on_latch(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    if (value)
        table_latch();
}

static void on_buzzer(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    table_buzzer(value != 0);
}

static void on_uart(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    runner_send((uint8_t)value);
}

static void on_room(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)value;
    room = param != NULL;
}

static void no_sleep(avr_t *self, avr_cycle_count_t cycles) { (void)self, (void)cycles; }

static avr_irq_t *pin(char port, int number) { return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), number); }

static void connect_board(void) {
    avr->io[AVR_DATA_TO_IO(SPDR_AT)].w.c = on_spi_write;
    avr->io[AVR_DATA_TO_IO(SPDR_AT)].r.c = on_spi_read;
    for (uintptr_t antenna = 0; antenna < TABLE_ANTENNAS; antenna++)
        avr_irq_register_notify(antenna < 6 ? pin('D', (int)antenna + 2) : pin('B', (int)antenna - 6), on_select,
                                (void *)antenna);
    avr_irq_register_notify(pin('B', 2), on_latch, NULL);
    avr_irq_register_notify(pin('C', 0), on_buzzer, NULL);

    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    uart_input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_uart, NULL);
    static char yes;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), on_room, &yes);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), on_room, NULL);
}

/* The memory that survives is new, where simavr leaves it undefined. */
static void clear_eeprom(void) {
    uint8_t blank[1024];
    memset(blank, 0xFF, sizeof blank);
    avr_eeprom_desc_t whole = {.ee = blank, .offset = 0, .size = sizeof blank};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &whole);
}

/* Where the program never is, so that a jump to itself can stand there. */
#define NOWHERE 0x7000

static void grant(enum table_wish wish) {
    switch (wish) {
    case WISH_RESET:
        avr_reset(avr);
        avr_regbit_set(avr, avr->reset_flags.extrf);
        break;
    case WISH_POWER:
        for (unsigned antenna = 0; antenna < TABLE_ANTENNAS; antenna++) {
            char line[16], answer[64];
            snprintf(line, sizeof line, "dip %u", antenna);
            table_command(line, answer, sizeof answer);
        }
        avr_reset(avr);
        avr_regbit_set(avr, avr->reset_flags.porf);
        break;
    case WISH_HANG:
        /* The program stands still, interrupts go on, and only the watchdog can help. */
        avr->flash[NOWHERE] = 0xFF;
        avr->flash[NOWHERE + 1] = 0xCF;
        avr->pc = NOWHERE;
        break;
    case WISH_NONE:
        break;
    }
}

/* The memory is painted before the start; what stays painted between variables and stack was never used. */
#define RAM_START 0x100
#define RAM_END 0x900
#define PAINT 0xC5

static void paint_memory(void) { memset(avr->data + RAM_START, PAINT, RAM_END - RAM_START); }

static bool memory_command(const char *line, char *answer, unsigned size) {
    if (strcmp(line, "memory") != 0)
        return false;
    unsigned longest = 0, run = 0;
    for (unsigned at = RAM_START; at < RAM_END; at++) {
        run = avr->data[at] == PAINT ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    snprintf(answer, size, "ok unused=%u", longest);
    return true;
}

/* Returns false if the processor has stopped for good. */
static bool run_until(avr_cycle_count_t end) {
    while (avr->cycle < end) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            return false;
    }
    return true;
}

int main(int count, char **arguments) {
    elf_firmware_t firmware = {0};
    if (count != 2 || elf_read_firmware(arguments[1], &firmware) != 0) {
        fprintf(stderr, "usage: board IMAGE.elf\n");
        return 1;
    }
    avr = avr_make_mcu_by_name("atmega328p");
    if (avr == NULL || avr_init(avr) != 0)
        return 1;
    avr->frequency = (uint32_t)CLOCK;
    firmware.frequency = (uint32_t)CLOCK;
    avr_load_firmware(avr, &firmware);
    avr->sleep = no_sleep;
    connect_board();
    clear_eeprom();
    paint_memory();
    runner_own_command = memory_command;
    avr_regbit_set(avr, avr->reset_flags.porf);
    /* A line that is named is one on which the reader listens. */
    if (!run_until(CLOCK / 10))
        return 4;
    runner_open();
    uint64_t start = runner_now() - avr->cycle / CYCLES_PER_MICROSECOND;
    avr_cycle_count_t byte_at = 0, slice_at = 0;
    while (runner_commands()) {
        if (table_wish != WISH_NONE) {
            grant(table_wish);
            table_wish = WISH_NONE;
        }
        slice_at = avr->cycle + CYCLES_PER_BYTE;
        if (!run_until(slice_at))
            return 4;
        int byte = avr->cycle >= byte_at && room ? runner_receive() : -1;
        if (byte >= 0) {
            avr_raise_irq(uart_input, (uint32_t)byte);
            byte_at = avr->cycle + CYCLES_PER_BYTE;
        }
        runner_flush();
        uint64_t emulated = avr->cycle / CYCLES_PER_MICROSECOND, real = runner_now() - start;
        runner_board_time = emulated;
        if (emulated > real + 1000)
            runner_sleep(emulated - real);
        else if (real > emulated + 100000)
            start += real - emulated; /* the computer is too slow; time lost is not caught up in a burst */
    }
    return 0;
}
