"""Two controllers of a garage door with one button. Only one of them is what model.yaml says."""

from __future__ import annotations


class Controller:
    """Remembers where the door rests, what the motor does, and which way the door went last."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """The door is closed."""
        self._rests: str | None = "closed"
        self._motor: str | None = None
        self._went = "down"

    def step(self, signal: str) -> str:
        """Take one signal, return what to do."""
        match signal:
            case "button":
                return self._halt() if self._motor else self._go(self._other_way())
            case "top":
                return self._arrives("open", direction="up")
            case "bottom":
                return self._arrives("closed", direction="down")
            case "beam":
                return self._something_in_the_way() if self._motor == "down" else "nothing"
            case "timer":
                return self._go("down") if self._rests == "open" else "nothing"
        raise ValueError(f"unknown signal {signal}")

    def _go(self, direction: str) -> str:
        self._rests = None
        self._motor = self._went = direction
        return direction

    def _halt(self) -> str:
        self._motor = None
        return "stop"

    def _other_way(self) -> str:
        if self._rests:
            return "up" if self._rests == "closed" else "down"
        return "up" if self._went == "down" else "down"

    def _arrives(self, place: str, *, direction: str) -> str:
        if self._motor:
            if self._motor != direction:
                return "nothing"
            self._rests = place
            return self._halt()
        forced = self._rests not in (None, place)
        self._rests = place
        return "alarm" if forced else "nothing"

    def _something_in_the_way(self) -> str:
        return self._go("up")


class FaultyController(Controller):
    """Reverses the motor at once when something is in the way, and forgets to note that the door now goes up.

    The fault shows when the door is halted while it makes way and then the button is pressed again: it should come back
    down, but goes up. A single test of each transition from an obvious state passes.
    """

    def _something_in_the_way(self) -> str:
        self._motor = "up"
        return "up"
