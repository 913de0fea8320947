/* A lamp with a switch; FAULT chooses what goes wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FAULT
#define FAULT 0
#endif

static int bright, steps;

void lamp_reset(void) {
    bright = 0;
    steps = 0;
}

/* 0: press, 1: look; 0: on, 1: off */
int lamp_step(int input) {
    steps++;
    if (FAULT == 1 && steps == 3)
        abort();
    if (FAULT == 2 && steps == 3)
        for (;;)
            ;
    if (FAULT == 3)
        printf("debug: %d\n", input);
    if (FAULT == 4 && steps == 3)
        return 77;
    if (input == 0)
        bright = !bright;
    return bright ? 0 : 1;
}

int lamp_enabled(int input) { return input == 0 || bright; }

void reset(void) { lamp_reset(); }

const char *step(const char *input) {
    return lamp_step(strcmp(input, "press") == 0 ? 0 : 1) == 0 ? "on" : "off";
}

/* Values: a fan that turns as fast as the level says; mode 0: off, 1: low, 2: high. */
static double total;
static float heat;

void fan_reset(void) {
    total = 0;
    heat = 0.1f;
}

void fan_step(double level, _Bool hot, long long turns, double *speed, int *mode, float *warmth) {
    total += level;
    *speed = total * (hot ? 2 : 1) + (double)turns;
    *mode = level <= 0 ? 0 : level < 5 ? 1 : 2;
    *warmth = heat;
}
