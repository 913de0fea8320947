"""A lamp that speaks JSON Lines; the argument says what is wrong with it."""

import json
import os
import signal
import subprocess
import sys
import time

fault = sys.argv[1] if len(sys.argv) > 1 else "none"
lit = False
steps = 0


def say(answer):
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def misbehave():
    if fault == "crash":
        sys.stderr.write("the bulb is broken\n")
        sys.exit(3)
    if fault == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if fault == "hang":
        time.sleep(60)
    if fault == "babble":
        print("DEBUG: pressing")  # noqa: T201
    if fault == "twice":
        say({"output": "on"})
    if fault == "flood":
        for _ in range(300):
            sys.stdout.write("x" * 10_000)
        sys.stdout.flush()
    if fault == "stderr":
        sys.stderr.write("noise " * 100_000 + "the last words")
        sys.stderr.flush()
    if fault == "half":
        sys.stdout.write('{"output": "o')
        sys.stdout.flush()
        os._exit(0)
    if fault == "bytes":
        sys.stdout.buffer.write(b"\xff\xfe\n")
        sys.stdout.flush()
    if fault == "deaf":
        os.close(1)
        time.sleep(60)
    if fault == "grandchild":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        time.sleep(60)


ANSWERS = {
    "number": {"output": 1},
    "nothing": {"result": "on"},
    "list": ["on"],
    "error": {"error": "no such lamp"},
}

for line in sys.stdin:
    message = json.loads(line)
    if "reset" in message:
        lit, steps = False, 0
        if fault == "unready":
            say({"ready": False})
        elif fault == "mute":
            pass
        else:
            say({"ready": True, "enabled": ["press", "look"]} if fault == "grey" else {"ready": True})
        continue
    steps += 1
    if steps == 3:
        misbehave()
    if message["input"] == "press":
        lit = not lit
    answer = {"output": "on" if lit else "off"}
    if fault == "grey":
        answer["enabled"] = ["look"] if lit else ["press", "look"]
    say(ANSWERS.get(fault, answer) if steps == 3 else answer)
