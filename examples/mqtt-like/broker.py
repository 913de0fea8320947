"""A small message broker over TCP, and two that have gone wrong. Only the standard library is needed.

python3 broker.py [--port 4001] [--broker Broker|WillsAlways|ForgetsRetained]

A connection carries JSON Lines: {"reset": true} starts with a fresh broker, {"input": "publish a"} is something that
client a does, and the answer holds what all clients receive meanwhile: {"output": "puback a, message b hello"}.
"""

import argparse
import contextlib
import json
import socketserver


class Broker:
    """One topic is enough to go wrong. Clients are known by their names."""

    def __init__(self):
        self.wills = {}  # of the clients that are connected
        self.subscribers = []
        self.retained = None
        self.sent = []

    def connect(self, client, will):
        if client in self.wills:
            self.refuse(client)
            return
        self.wills[client] = will
        self.sent.append(f"connack {client}")

    def subscribe(self, client):
        if client not in self.wills or client in self.subscribers:
            self.refuse(client)
            return
        self.subscribers.append(client)
        self.sent.append(f"suback {client}")
        if self.retained is not None:
            self.sent.append(f"message {client} {self.retained}")

    def publish(self, client, payload):
        """The message is retained for subscribers that come later; an empty one ends that."""
        if client not in self.wills:
            self.refuse(client)
            return
        self.retained = payload or None
        self.sent.append(f"puback {client}")
        if payload:
            self.deliver(payload)

    def disconnect(self, client):
        """Client and broker part in good order: nobody needs to know the will."""
        if client not in self.wills:
            self.refuse(client)
            return
        self.leave(client)
        self.sent.append(f"closed {client}")

    def drop(self, client):
        """The connection is lost, without a word."""
        if client not in self.wills:
            self.refuse(client)
            return
        will = self.leave(client)
        self.sent.append(f"closed {client}")
        self.execute(will)

    def leave(self, client):
        if client in self.subscribers:
            self.subscribers.remove(client)
        return self.wills.pop(client)

    def execute(self, will):
        if will:
            self.deliver(will)

    def deliver(self, payload):
        self.sent.extend(f"message {subscriber} {payload}" for subscriber in self.subscribers)

    def refuse(self, client):
        self.sent.append(f"refused {client}")


class WillsAlways(Broker):
    """Publishes the will of a client that has said goodbye, too."""

    def disconnect(self, client):
        will = self.wills.get(client)
        super().disconnect(client)
        self.execute(will)


class ForgetsRetained(Broker):
    """Keeps retained messages with the connection of their publisher, and loses them with it."""

    def leave(self, client):
        if client == "a":
            self.retained = None
        return super().leave(client)


INPUTS = {
    "connect a": lambda broker: broker.connect("a", will="gone"),
    "connect b": lambda broker: broker.connect("b", will=None),
    "subscribe b": lambda broker: broker.subscribe("b"),
    "publish a": lambda broker: broker.publish("a", "hello"),
    "publish a empty": lambda broker: broker.publish("a", ""),
    "disconnect a": lambda broker: broker.disconnect("a"),
    "disconnect b": lambda broker: broker.disconnect("b"),
    "drop a": lambda broker: broker.drop("a"),
    "drop b": lambda broker: broker.drop("b"),
}


class Door(socketserver.StreamRequestHandler):
    """One tester at the other end."""

    def handle(self):
        broker = self.server.make()
        for line in self.rfile:
            message = json.loads(line)
            if "reset" in message:
                broker = self.server.make()
                answer = {"ready": True}
            else:
                broker.sent.clear()
                INPUTS[message["input"]](broker)
                answer = {"output": ", ".join(broker.sent)}
            self.wfile.write(json.dumps(answer).encode() + b"\n")


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


def main():
    parser = argparse.ArgumentParser(description="A small message broker over TCP.")
    parser.add_argument("--port", type=int, default=4001, help="0 takes any port that is free")
    parser.add_argument("--broker", choices=["Broker", "WillsAlways", "ForgetsRetained"], default="Broker")
    arguments = parser.parse_args()
    with Server(("127.0.0.1", arguments.port), Door) as server:
        server.make = globals()[arguments.broker]
        print(f"listening on {server.server_address[0]}:{server.server_address[1]}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


if __name__ == "__main__":
    main()
