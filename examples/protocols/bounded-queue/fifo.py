"""A queue with three places that a tester can talk to; `fullproof run model.yaml --sut python:fifo.py:Queue`."""

from collections import deque


class Queue:
    """Messages arrive by `send`, answers are fetched by `receive`; a get from the empty queue waits for a put."""

    CAPACITY = 3

    def reset(self):
        self.items = deque()
        self.answers = deque()
        self.waiting = False

    def send(self, gate, *values):
        if self.answers:  # an answer is due: further messages are ignored
            return
        if gate == "put":
            self.put(*values)
        elif gate == "get":
            self.get()
        elif gate == "clear":
            self.waiting = False
            self.answers.append(("cleared", (len(self.items),)))
            self.items.clear()

    def receive(self, timeout):
        return self.answers.popleft() if self.answers else None

    def put(self, item):
        if self.waiting:
            self.waiting = False
            self.answers.append(("item", (item,)))
        elif len(self.items) < self.CAPACITY:
            self.items.append(item)
            self.answers.append(("stored", (len(self.items),)))
        else:
            self.answers.append(("full", ()))

    def get(self):
        if self.items:
            self.answers.append(("item", (self.items.popleft(),)))
        else:
            self.waiting = True


class Stack(Queue):
    """Gives back the newest item first: not what the model says."""

    def get(self):
        if self.items:
            self.answers.append(("item", (self.items.pop(),)))
        else:
            self.waiting = True
