"""A counter that speaks JSON Lines, or words with --words; the first argument says how it misbehaves."""

import json
import sys
import time

mode = sys.argv[1] if len(sys.argv) > 1 else "good"
words = "--words" in sys.argv
total = 0


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def emit(gate, *values):
    say(" ".join([gate, *map(str, values)]) if words else json.dumps({"emit": [gate, list(values)]}))


def take(gate, values):
    global total
    if mode == "dead":
        sys.exit("the counter has broken down")
    if mode == "silent":
        return
    if mode == "late":
        time.sleep(0.4)
    if mode == "babble":
        say("counting ...")
        return
    total += values[0]
    if mode == "alien":
        emit("total", total)
        return
    if mode == "nonsense":
        emit("outX", None)
        return
    emit("outX", total if mode != "wrong" else total + 1)
    if mode == "chatty":
        while True:
            emit("outX", total)
    if total > 15:
        emit("done")


for line in sys.stdin:
    if words:
        gate, *values = line.split()
        take(gate, [int(value) for value in values])
        continue
    message = json.loads(line)
    if "reset" in message:
        total = 0
        if mode != "deaf":
            say(json.dumps({"ready": True}))
    else:
        take(message["send"][0], message["send"][1])
