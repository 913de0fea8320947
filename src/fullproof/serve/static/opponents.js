// What a model can be run against: the systems of the command line, another model, a faulty variant of the model.
import { api, byId, el, kept } from "./bench.js";

export class Opponents {
  constructor(box, model, systems) {
    this.model = model;
    this.other = kept("other")?.text ? kept("other") : null;
    this.number = Math.floor(Math.random() * 2 ** 31);
    const named = systems.map((system) => this.choice(system.name, system.name, el("code", {}, system.spec)));
    this.file = el("input", { type: "file", className: "hidden-file", id: "other-open", ariaLabel: "Open another model" });
    this.said = el("span", { className: "soft" });
    const another = this.choice("/other", "another model", el("span", {}, this.said, " ", el("label", { className: "button", htmlFor: "other-open" }, "Open…", this.file)));
    const mutant = this.choice("/mutant", "a mutant", el("span", { className: "soft" }, "a faulty variant of the model, another one each time"));
    box.append(...named, another, mutant);
    box.querySelector("input").checked = true;
    this.file.addEventListener("change", async () => {
      const [file] = this.file.files;
      if (file) this.take({ name: file.name, text: await file.text() });
      this.file.value = "";
    });
    this.tell();
    if (!systems.length) byId("no-systems").hidden = false;
  }

  choice(value, name, below) {
    return el("label", { className: "system" }, el("input", { type: "radio", name: "system", value, ariaLabel: name, ariaDescription: below.textContent }), el("span", {}, el("b", {}, name), below));
  }

  take(given) {
    this.other = given;
    document.querySelector("input[name=system][value='/other']").checked = true;
    this.tell();
  }

  tell() { this.said.textContent = this.other ? this.other.name : "none yet; the page Compare has one, too, once it is used"; }

  // The part of a request that says what to run against; a mutant is made for each run.
  async asked() {
    const chosen = document.querySelector("input[name=system]:checked").value;
    if (chosen === "/other") {
      if (!this.other) throw new Error("Open another model first.");
      return { other: this.other };
    }
    if (chosen !== "/mutant") return { system: chosen };
    this.number = (this.number + 1) % 2 ** 31;
    const made = await api("mutant", { model: this.model, number: this.number });
    return { other: { name: made.name, text: made.text }, mutant: made };
  }
}
