"""A login that locks, as a program with a clock that tests turn: JSON Lines on standard input and output.

With an argument it is wrong: ``short`` unlocks after 4 min, ``sliding`` starts the lock again with every attempt, and
``stubborn`` never forgets a wrong password.
"""

from __future__ import annotations

import json
import sys

fault = sys.argv[1] if len(sys.argv) > 1 else ""


class Login:
    def __init__(self) -> None:
        self.now = self.until = 0.0
        self.wrong: int = 0
        self.shut = False

    def attempt(self, password: str) -> str:
        self.look()
        if self.shut:
            if fault == "sliding":
                self.until = self.now + 300
            return "locked"
        if password == "right":
            self.wrong = 0
            return "welcome"
        self.wrong += 1
        self.shut = self.wrong == 3
        self.until = self.now + (60 if not self.shut else 240 if fault == "short" else 300)
        return "locked" if self.shut else "sorry"

    def look(self) -> None:
        """What has passed is forgotten when somebody asks: no timer is needed."""
        if self.now >= self.until and (self.shut or fault != "stubborn"):
            self.wrong, self.shut = 0, False


login = Login()
for line in sys.stdin:
    message = json.loads(line)
    if "reset" in message:
        login, answer = Login(), {"ready": True}
    elif "advance" in message:
        login.now += float(message["advance"])
        answer = {"output": []}
    else:
        answer = {"output": [login.attempt(message["input"]["trigger"])]}
    print(json.dumps(answer), flush=True)
