"use strict";

/** The terminal without its looks. Every method is one input; `emit` is told the output. */
class CardReader {
  constructor(emit) {
    this.emit = emit;
    this.clear();
  }

  clear() {
    this.stage = "idle"; // idle, card, authorisation, pin, ejected
    this.amount = null; // null, small, large
    this.tries = 0;
    this.paid = false;
  }

  // What can be done now: the slot holds one card, and the screen shows a button only where it has a meaning.
  get canInsert() { return this.stage === "idle" || this.stage === "card"; }
  get canRemove() { return this.stage === "ejected"; }
  get canAuthorise() { return this.stage === "authorisation"; }
  get canEnterPin() { return this.stage === "pin"; }
  get canAbort() { return this.stage === "authorisation" || this.stage === "pin"; }

  get card() {
    if (this.stage === "ejected") return "ejected";
    return this.stage === "authorisation" || this.stage === "pin" ? "inside" : "none";
  }

  request(amount) {
    if (this.stage !== "idle") return; // a cash register that asks too early is ignored
    this.amount = amount;
    this.stage = "card";
    this.emit("Screen", "insert your card");
  }

  insert({ valid }) {
    if (this.stage === "card" && valid) {
      this.stage = "authorisation";
      this.emit("Screen", "authorise the payment");
    } else {
      this.eject();
    }
  }

  authorise() {
    if (this.amount === "large") {
      this.stage = "pin";
      this.emit("Screen", "enter your PIN");
    } else {
      this.pay(); // small amounts may ask for the PIN, this terminal never does
    }
  }

  enterPin(pin) {
    if (pin === "1234") {
      this.pay();
    } else if (this.tries === 2) {
      this.withdraw();
    } else {
      this.tries += 1;
      this.emit("Screen", "wrong PIN, try again");
    }
  }

  withdraw() {
    this.clear();
    this.emit("Screen", "card withdrawn");
  }

  abort() {
    this.eject();
  }

  pay() {
    this.paid = true;
    this.eject();
  }

  eject() {
    this.stage = "ejected";
    this.emit("Slot", "card ejected");
  }

  remove() {
    const { paid } = this;
    this.clear();
    if (paid) this.emit("Bank", "payment authorised");
    else this.emit("Screen", "cleared");
  }
}
