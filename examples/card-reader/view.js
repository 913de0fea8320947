"use strict";

const element = (id) => document.getElementById(id);
const money = { small: "€ 9.90", large: "€ 250.00" };
const slotText = {
  none: "The slot is empty.",
  inside: "The card is inside.",
  ejected: "The card sticks out of the slot.",
};

const fault = faults[new URLSearchParams(location.search).get("fault")];
const Reader = fault ? fault(CardReader) : CardReader;
const reader = new Reader((where, what) => {
  const entry = document.createElement("li");
  entry.textContent = `${where}: ${what}`;
  element("log").prepend(entry);
  if (where === "Screen") element("screen").textContent = what === "cleared" ? "Welcome" : what;
  if (where === "Slot") element("screen").textContent = "take your card";
  if (where === "Bank") element("screen").textContent = "thank you";
});

function show() {
  element("amount").textContent = money[reader.amount] ?? "";
  element("insert-valid").disabled = element("insert-invalid").disabled = !reader.canInsert;
  element("remove").disabled = !reader.canRemove;
  element("authorise").hidden = !reader.canAuthorise;
  element("abort").hidden = !reader.canAbort;
  element("pin-form").hidden = !reader.canEnterPin;
  element("pin").value = "";
  element("slot").dataset.card = reader.card;
  element("slot-text").textContent = slotText[reader.card];
}

function on(id, event, action) {
  element(id).addEventListener(event, (happened) => {
    happened.preventDefault();
    action();
    show();
  });
}

on("request-small", "click", () => reader.request("small"));
on("request-large", "click", () => reader.request("large"));
on("insert-valid", "click", () => reader.insert({ valid: true }));
on("insert-invalid", "click", () => reader.insert({ valid: false }));
on("remove", "click", () => reader.remove());
on("authorise", "click", () => reader.authorise());
on("abort", "click", () => reader.abort());
on("pin-form", "submit", () => reader.enterPin(element("pin").value));
show();
