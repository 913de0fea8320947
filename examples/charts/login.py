"""A login with a session that warns at the first timeout and sleeps at the second."""


class Login:
    def __init__(self):
        self.tries, self.open = 0, False
        self.enter()

    def enter(self):
        self.page, self.asleep, self.warned = "list", False, False

    def step(self, trigger):
        if not self.open:
            self.tell(trigger)
        elif trigger == "logout":
            self.open = False
        else:
            self.work(trigger)
        if not self.open:
            return {"page": "welcome", "tries": self.tries, "warned": False}
        return {"page": "asleep" if self.asleep else self.page, "tries": self.tries, "warned": self.warned}

    def tell(self, trigger):
        if self.tries < 2 and trigger == "right_code":
            self.tries, self.open = 0, True
            self.enter()
        elif self.tries < 2 and trigger == "wrong_code":
            self.tries += 1

    def work(self, trigger):
        warned = self.warned
        if trigger == "timeout":
            self.warned = True
        elif trigger in ("next", "back", "wake"):
            self.warned = False
        if self.asleep:
            self.asleep = trigger != "wake"
        elif trigger == "timeout" and warned:
            self.asleep = True
        elif trigger in ("next", "back"):
            self.page = {"next": "details", "back": "list"}[trigger]


class WakesAtTheList(Login):
    """Fault: history is lost."""

    def work(self, trigger):
        if self.asleep and trigger == "wake":
            self.page = "list"
        super().work(trigger)


class NeverLocks(Login):
    """Fault: a wrong code is counted once only."""

    def tell(self, trigger):
        super().tell(trigger)
        self.tries = min(self.tries, 1)


class SleepsUnwarned(Login):
    """Fault between two regions: the page with details sleeps at the first timeout."""

    def work(self, trigger):
        if trigger == "timeout" and self.page == "details" and not self.asleep:
            self.warned = True
        super().work(trigger)
