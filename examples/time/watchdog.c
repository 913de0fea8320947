/* A watchdog, driven by a timer interrupt: watchdog_tick gets the milliseconds that have passed. */
#include <stdbool.h>

enum event { START, ALIVE, STOP };

#ifndef LATE
#define LATE 0 /* ms that the warning comes too late */
#endif
#ifdef DEAF
#define HEARS_WHILE_WARNED 0 /* a sign of life after the warning is ignored */
#else
#define HEARS_WHILE_WARNED 1
#endif

static bool runs, warned;
static unsigned left;

static void begin(void)
{
    warned = false;
    left = 500 + LATE;
}

void watchdog_reset(void)
{
    runs = warned = false;
}

const char *watchdog_event(int trigger)
{
    if (trigger == START && !runs) {
        runs = true;
        begin();
    } else if (trigger == ALIVE && runs && (!warned || HEARS_WHILE_WARNED)) {
        begin();
    } else if (trigger == STOP) {
        runs = warned = false;
    }
    return "";
}

/* The signals of a tick, in order, separated by blanks. */
const char *watchdog_tick(unsigned ms)
{
    static char said[4096];
    char *end = said;
    *end = 0;
    while (runs && ms >= left) {
        ms -= left;
        const char *what = warned ? "restart " : "warning ";
        if (end < said + sizeof said - 9)
            while (*what)
                *end++ = *what++;
        *end = 0;
        if (warned)
            begin();
        else {
            warned = true;
            left = 200;
        }
    }
    if (runs)
        left -= ms;
    return said;
}
