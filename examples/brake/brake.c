/* A braking assistant for a controller: one call per measured speed, one braking force in return.
 *
 * Compile with -DFAULT=1 or -DFAULT=2 for one that has gone wrong. */
#include <stdbool.h>

#ifndef FAULT
#define FAULT 0
#endif

static const double LIMIT = 200.0, HYSTERESIS = 10.0; /* km/h */
static bool braking;

void brake_reset(void)
{
    braking = false;
}

static bool goes_on(double speed)
{
#if FAULT == 1 /* releases the brakes at 190 km/h, not below */
    return speed > LIMIT - HYSTERESIS;
#else
    return speed >= LIMIT - HYSTERESIS;
#endif
}

static double force(double excess)
{
#if FAULT == 2 /* grows with the square of the excess, as air drag does */
    return 2.0 + excess * excess / 100.0;
#else
    return 2.0 + excess / 100.0;
#endif
}

double brake_step(double speed)
{
    braking = braking ? goes_on(speed) : speed > LIMIT;
    if (braking)
        return force(speed - LIMIT);
    return speed == LIMIT ? 1.0 : 0.0;
}
