"""The login server of model.yaml; `fullproof run model.yaml --sut python:server.py:Server`."""

from collections import deque


class Server:
    """Answers are put into a mailbox that `receive` empties; None where there is nothing to say."""

    LIMIT, PATIENCE, PAGES = 3, 15, 100

    def reset(self):
        self.account = None
        self.wrong = 0
        self.inside = False
        self.mailbox = deque()

    def send(self, gate, *values):
        getattr(self, gate)(*values)

    def receive(self, timeout):
        return self.mailbox.popleft() if self.mailbox else None

    def say(self, gate, *values):
        self.mailbox.append((gate, values))

    def register(self, user, pin):
        if self.account is not None:
            return
        if 1000 <= pin <= 9999:
            self.account = (user, pin)
            self.say("registered", user)
        else:
            self.say("weak", 4)

    def login(self, user, pin):
        if self.account is None or self.inside or self.locked:
            return  # a locked server gives nothing away
        if (user, pin) == self.account:
            self.wrong = 0
            self.inside = True
            self.say("welcome", user)
            return
        self.wrong += 1
        if self.locked:
            self.say("locked")
        else:
            self.say("denied", self.LIMIT - self.wrong)

    @property
    def locked(self):
        return self.wrong >= self.LIMIT

    def pause(self, minutes):
        if self.locked and minutes >= self.PATIENCE:
            self.wrong = 0

    def request(self, number):
        if self.inside:
            self.say("content" if 1 <= number <= self.PAGES else "missing", number)

    def logout(self):
        if self.inside:
            self.inside = False
            self.say("goodbye", self.account[0])


class Forgetful(Server):
    """Any pause makes it forget wrong attempts: not what the model says."""

    def pause(self, minutes):
        self.wrong = 0
