"use strict";

/** Three mistakes, chosen by ?fault=NAME in the address. */
const faults = {
  /** A button enabled too early: "Authorise" is there before a card is. */
  "early-button": (Reader) =>
    class extends Reader {
      get canAuthorise() { return this.stage === "card" || this.stage === "authorisation"; }
    },

  /** The PIN is accepted after three failures: the card is never withdrawn. */
  "fourth-try": (Reader) =>
    class extends Reader {
      withdraw() {
        this.emit("Screen", "wrong PIN, try again");
      }
    },

  /** The card is not ejected on abort: the terminal forgets that it has one. */
  "kept-card": (Reader) =>
    class extends Reader {
      abort() {
        this.clear();
        this.emit("Screen", "cleared");
      }
    },
};
