#define _GNU_SOURCE
#include "runner.h"

#include "table.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

bool (*runner_own_command)(const char *line, char *answer, unsigned size);
uint64_t runner_board_time;
static int terminal = -1;
static uint8_t incoming[4096];
static unsigned incoming_at, incoming_size;
static uint8_t outgoing[4096];
static unsigned outgoing_size;
static char command[256];
static unsigned command_size;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

void runner_open(void) {
    terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (terminal < 0 || grantpt(terminal) || unlockpt(terminal))
        fail("pseudo-terminal");
    const char *path = ptsname(terminal);
    /* Held open, so that the line does not hang up when the host closes it. */
    int line = open(path, O_RDWR | O_NOCTTY);
    struct termios mode;
    if (line < 0 || tcgetattr(line, &mode))
        fail(path);
    cfmakeraw(&mode);
    if (tcsetattr(line, TCSANOW, &mode))
        fail(path);
    if (fcntl(0, F_SETFL, O_NONBLOCK))
        fail("standard input");
    printf("serial %s\n", path);
    fflush(stdout);
}

bool runner_commands(void) {
    char byte;
    ssize_t got;
    while ((got = read(0, &byte, 1)) == 1) {
        if (byte != '\n') {
            if (command_size < sizeof command - 1)
                command[command_size++] = byte;
            continue;
        }
        command[command_size] = 0;
        command_size = 0;
        char answer[128];
        bool own = strcmp(command, "time") == 0;
        if (own)
            snprintf(answer, sizeof answer, "ok us=%llu", (unsigned long long)runner_board_time);
        else
            own = runner_own_command && runner_own_command(command, answer, sizeof answer);
        if (!own && !table_command(command, answer, sizeof answer))
            return false;
        printf("%s\n", answer);
        fflush(stdout);
    }
    return got < 0 && (errno == EAGAIN || errno == EINTR);
}

int runner_receive(void) {
    if (incoming_at == incoming_size) {
        ssize_t got = read(terminal, incoming, sizeof incoming);
        if (got <= 0)
            return -1;
        incoming_at = 0;
        incoming_size = (unsigned)got;
    }
    return incoming[incoming_at++];
}

void runner_flush(void) {
    if (outgoing_size == 0)
        return;
    ssize_t written = write(terminal, outgoing, outgoing_size);
    (void)written; /* nobody reads: the bytes are gone, as they would be on a wire */
    outgoing_size = 0;
}

void runner_send(uint8_t byte) {
    outgoing[outgoing_size++] = byte;
    if (outgoing_size == sizeof outgoing)
        runner_flush();
}

uint64_t runner_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void runner_sleep(uint64_t microseconds) {
    struct timespec time = {(time_t)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000};
    nanosleep(&time, NULL);
}
