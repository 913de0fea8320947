/* The door lock of examples/statemachines/door-lock.yaml, by hand. FAULT 1 forgets to count tries, 2 opens late. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LOCKED, UNLOCKED, BLOCKED };
static int state, tries;
static long long since;
static bool is_open;
static const char *last;

void reset(void) { state = LOCKED; tries = 0; since = 0; is_open = false; last = NULL; }

static const char *locked(int trigger, long long code, long long now) {
    if (trigger != 0) return NULL;
    if (code == 42) {
        tries = 0; is_open = true; since = now; state = UNLOCKED;
        return "beep";
    }
    if (FAULT != 1) tries++;
    if (tries < 3) return "";
    since = now; tries = 0; state = BLOCKED;
    return "alarm";
}

static const char *advance(int trigger, long long code, long long now, bool *open) {
    const char *sent = NULL;
    if (state == LOCKED) sent = locked(trigger, code, now);
    else if (state == UNLOCKED && now >= since + 30 + (FAULT == 2)) { is_open = false; state = LOCKED; sent = "beep"; }
    else if (state == UNLOCKED && trigger == 1) { is_open = false; state = LOCKED; }
    else if (state == BLOCKED && now >= since + 60) { state = LOCKED; sent = "beep"; }
    *open = is_open;
    return last = sent;
}

const char *step(int trigger, long long code, long long now, bool *open) { return advance(trigger, code, now, open); }

/* The same with names: the signal as a text, the signals sent by a function of their own. */
bool lock_step(const char *trigger, long long now, long long code) {
    bool open;
    advance(trigger == NULL ? -1 : strcmp(trigger, "enter") == 0 ? 0 : 1, code, now, &open);
    return open;
}

const char *lock_sent(void) { return last; }

/* And with other numbers. */
const char *numbered(unsigned char trigger, long long code, long long now, bool *open) {
    return advance(trigger == 0 ? -1 : trigger == 7 ? 0 : 1, code, now, open);
}
