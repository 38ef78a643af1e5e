#include "feedback.h"

#include "../hal/hal.h"
#include "board.h"
#include "protocol.h"
#include <string.h>

struct light {
    uint16_t id;
    uint8_t pattern;
    uint16_t duration;
    uint32_t since;
};

static struct light lights[ANTENNAS];
static uint8_t sound;
static uint32_t sound_since;
static uint16_t shown;
static bool written; /* a shift register powers up with anything in it */

void feedback_reset(void) {
    memset(lights, 0, sizeof lights);
    sound = SOUND_NONE;
}

void feedback_show(uint8_t antenna, uint16_t id, uint8_t pattern, uint8_t wanted_sound, uint16_t duration) {
    struct light *light = &lights[antenna];
    if (light->id == id)
        return;
    light->id = id;
    light->pattern = pattern;
    light->duration = duration;
    light->since = hal_ms();
    if (wanted_sound != SOUND_NONE) {
        sound = wanted_sound;
        sound_since = light->since;
    }
}

/* Bit 0 green, bit 1 red. Half periods: 512 ms for what waits for a person, 128 ms for what is wrong. */
static uint8_t lamps(uint8_t pattern, uint32_t age) {
    bool slow = !(age & 512), fast = !(age & 128);
    switch (pattern) {
    case PATTERN_OK:
        return 1;
    case PATTERN_WRONG:
        return 2;
    case PATTERN_YOUR_TURN:
        return slow ? 1 : 0;
    case PATTERN_WAITING:
        return slow ? 3 : 0;
    case PATTERN_ERROR:
        return fast ? 2 : 0;
    default:
        return 0;
    }
}

static bool sounds(uint32_t age) {
    switch (sound) {
    case SOUND_SHORT:
        return age < 60;
    case SOUND_DOUBLE:
        return age < 60 || (age >= 120 && age < 180);
    case SOUND_LONG:
        return age < 400;
    default:
        return false;
    }
}

void feedback_step(void) {
    uint32_t now = hal_ms();
    uint8_t green = 0, red = 0;
    for (uint8_t antenna = 0; antenna < ANTENNAS; antenna++) {
        struct light *light = &lights[antenna];
        uint32_t age = now - light->since;
        if (light->duration && age >= light->duration)
            light->pattern = PATTERN_OFF;
        uint8_t on = lamps(light->pattern, age);
        if (on & 1)
            green |= (uint8_t)(1 << antenna);
        if (on & 2)
            red |= (uint8_t)(1 << antenna);
    }
    uint16_t wanted = (uint16_t)(green | (uint16_t)red << 8);
    if (wanted != shown || !written) {
        hal_lights(green, red);
        shown = wanted;
        written = true;
    }
    uint32_t age = now - sound_since;
    if (sound != SOUND_NONE && age >= 400)
        sound = SOUND_NONE;
    hal_buzzer(sounds(age));
}
