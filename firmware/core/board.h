/* What a maker may want to change: how many antennas there are and what they are for. */
#ifndef SHOAL_BOARD_H
#define SHOAL_BOARD_H

#define FIRMWARE_NAME "shoal-reader 1.0.0"

/* 1 to 8. */
#ifndef ANTENNAS
#define ANTENNAS 8
#endif

/* For each antenna: role (0 unassigned, 1 seat, 2 ask, 3 pond, 4 discard, 5 hub), its number within the role, and a
 * label of at most 16 characters. The label is what the screen calls the antenna until the table is set up. */
#ifndef BOARD_PADS
#define BOARD_PADS                                                                                                    \
    {                                                                                                                 \
        {0, 0, "pad 1"}, {0, 0, "pad 2"}, {0, 0, "pad 3"}, {0, 0, "pad 4"}, {0, 0, "pad 5"}, {0, 0, "pad 6"},          \
            {0, 0, "pad 7"}, {0, 0, "pad 8"},                                                                         \
    }
#endif

#endif
