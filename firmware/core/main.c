#include "../hal/hal.h"
#include "session.h"

int main(void) {
    hal_init();
    session_init();
    for (;;) {
        session_step();
        hal_idle();
    }
}
