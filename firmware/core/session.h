/* A session with the host: requests, heartbeat, snapshots. */
#ifndef SHOAL_SESSION_H
#define SHOAL_SESSION_H

/* Once, after hal_init(). */
void session_init(void);

/* Everything there is to do now; call it for ever, with hal_idle() in between. */
void session_step(void);

#endif
