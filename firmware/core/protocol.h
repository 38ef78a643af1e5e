/* The numbers of the reader protocol, version 1. firmware_protocol.md says what they mean. */
#ifndef SHOAL_PROTOCOL_H
#define SHOAL_PROTOCOL_H

#define PROTOCOL_VERSION 1
#define MAX_BODY 94
#define MAX_FRAME 96 /* body and check */

enum message_type {
    HELLO = 0x01,
    DESCRIBE = 0x02,
    SNAPSHOT = 0x03,
    FEEDBACK = 0x04,
    CONFIGURE = 0x05,
    STATUS_REQUEST = 0x06,
    ACK = 0x07,
    BYE = 0x08,
    DONE = 0x80,
    WELCOME = 0x81,
    ANTENNA = 0x82,
    TAGS = 0x83,
    CONFIGURED = 0x85,
    STATUS = 0x86,
    TAG = 0xC0,
    NOTICE = 0xC1,
    REFUSED = 0xFF
};

enum refusal { UNSUPPORTED = 1, MALFORMED = 2, WRONG_VERSION = 3, NO_SESSION = 4, NO_ANTENNA = 5, NOT_ABLE = 6 };
enum feature { FEATURE_FEEDBACK = 1, FEATURE_CONFIGURE = 2, FEATURE_NOTICES = 4 };
enum ability { CAN_REMOVAL = 1, CAN_LED = 2, CAN_BUZZER = 4 };
enum change { PLACED = 1, REMOVED = 2 };
enum health { ANSWERS = 1, COLLISION = 2, NOISE = 4, RESTARTED = 8 };
enum pattern { PATTERN_OFF, PATTERN_OK, PATTERN_WRONG, PATTERN_YOUR_TURN, PATTERN_WAITING, PATTERN_ERROR, PATTERNS };
enum sound { SOUND_NONE, SOUND_SHORT, SOUND_DOUBLE, SOUND_LONG, SOUNDS };
enum level { LEVEL_INFO, LEVEL_WARNING, LEVEL_FAULT };

#define ISO14443A 1       /* the technology of a tag */
#define READS_ISO14443A 1 /* the bit of that technology */
#define SIGNAL_UNKNOWN 0x80
#define ALL_ANTENNAS 255

#endif
