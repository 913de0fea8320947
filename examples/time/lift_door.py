"""A lift door with a clock that tests turn forward, and one that forgets to wait longer when it is held."""

from __future__ import annotations

PATIENCE, CALM, BEEP = 30, 20, 4


class LiftDoor:
    """Opens on request, beeps before it closes by itself."""

    def __init__(self) -> None:
        self.now = 0.0
        self.closes = self.beeps = None

    def step(self, trigger: str | None) -> dict[str, object]:
        """Handle a request."""
        if trigger == "open" and self.closes is None:
            self.closes, self.beeps = self.now + PATIENCE, self.now + CALM + BEEP
        elif trigger == "close":
            self.closes = None
        elif trigger == "hold" and self.closes is not None:
            self.hold()
        return self.answer([])

    def hold(self) -> None:
        """Wait as long again."""
        self.closes = self.now + PATIENCE

    def advance(self, seconds: float) -> dict[str, object]:
        """Let time pass."""
        end, sent = self.now + seconds, []
        while self.closes is not None and min(self.closes, self.beeps) <= end:
            self.now = min(self.closes, self.beeps)
            if self.now == self.beeps:
                sent.append("beep")
                self.beeps += BEEP
            else:
                self.closes = None
        self.now = end
        return self.answer(sent)

    def answer(self, sent: list[str]) -> dict[str, object]:
        """What is seen."""
        return {"locked": self.closes is None, "send": sent}


class Impatient(LiftDoor):
    """Does not wait longer."""

    def hold(self) -> None:
        """Forget it."""
