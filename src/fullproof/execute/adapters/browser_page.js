// Runs inside the page before its own scripts: finds elements, acts on them, waits, reads. CONFIG comes from browser_sut.
(() => {
  "use strict";
  const config = CONFIG;
  if (window !== window.top || Object.hasOwn(window, "__fullproof")) return;

  // The page may replace these; frames that it has asked for are counted, so that nobody waits for frames in vain.
  const later = window.setTimeout.bind(window);
  const frame = window.requestAnimationFrame.bind(window);
  const cancel = window.cancelAnimationFrame.bind(window);
  const frames = new Set();
  const keepFrames = () => {
    window.requestAnimationFrame = (callback) => {
      const number = frame(() => {
        frames.delete(number);
        callback(performance.now());
      });
      frames.add(number);
      return number;
    };
    window.cancelAnimationFrame = (number) => {
      frames.delete(number);
      cancel(number);
    };
  };
  keepFrames();

  let leaving = null;
  window.navigation?.addEventListener("navigate", (event) => {
    if (!event.destination.sameDocument && event.downloadRequest === null) leaving = event;
  });

  const known = new Map();
  const visible = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true });
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  const enabled = (element, verb) => {
    if (element.matches(":disabled") || element.closest("[aria-disabled='true'], [inert]")) return false;
    if (verb === "fill" && element.readOnly) return false;
    const modal = all("dialog:modal");
    return modal.length === 0 || modal.some((dialog) => dialog.contains(element));
  };
  const centre = (element) => {
    const box = element.getClientRects()[0];
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  };
  const hit = (point) => {
    let found = document.elementFromPoint(point.x, point.y);
    while (found?.shadowRoot?.elementFromPoint(point.x, point.y)) {
      const inner = found.shadowRoot.elementFromPoint(point.x, point.y);
      if (inner === found) break;
      found = inner;
    }
    return found;
  };
  const reaches = (found, element) =>
    element.contains(found) || element.shadowRoot?.contains(found) || found?.closest?.("label")?.control === element;
  const inside = ({ x, y }) => x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight;
  const covered = (element) => {
    const point = centre(element);
    return inside(point) && !reaches(hit(point), element);
  };
  const named = (element) =>
    element === null ? "nothing" : `<${element.localName}${element.id ? ` id="${element.id}"` : ""}>`;

  class Blocked extends Error {}

  const usable = ({ verb, selector }) => {
    const found = all(selector).filter(visible);
    if (found.length === 0) throw new Blocked(`no visible element matches ${selector}`);
    if (found.length > 1) throw new Blocked(`${found.length} visible elements match ${selector}, expected one`);
    if (!enabled(found[0], verb)) throw new Blocked(`${selector} is disabled`);
    return found[0];
  };
  const offered = (action) => {
    if (action.selector === "") return true; // a button of the browser itself
    const found = all(action.selector).filter(visible);
    return found.length === 1 && enabled(found[0], action.verb) && !covered(found[0]);
  };

  const pointAt = (element, selector) => {
    if (!inside(centre(element))) element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const point = centre(element);
    const found = hit(point);
    if (!reaches(found, element)) throw new Blocked(`${selector} is covered by ${named(found)}`);
    return { ...point, found };
  };
  const click = (element, selector) => {
    const { x, y, found } = pointAt(element, selector);
    const common = { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, view: window, detail: 1 };
    const pointer = { ...common, pointerType: "mouse", isPrimary: true };
    found.dispatchEvent(new PointerEvent("pointerdown", { ...pointer, buttons: 1 }));
    if (found.dispatchEvent(new MouseEvent("mousedown", { ...common, buttons: 1 }))) element.focus?.();
    found.dispatchEvent(new PointerEvent("pointerup", pointer));
    found.dispatchEvent(new MouseEvent("mouseup", common));
    found.dispatchEvent(new MouseEvent("click", common));
  };
  const changed = (element) => {
    element.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType: "insertText" }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const fill = (element, { selector, value }) => {
    element.focus?.();
    if (element.isContentEditable) {
      element.textContent = value;
    } else if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
      // The prototype's own setter: frameworks put theirs on the element to learn what they have set themselves.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value").set.call(element, value);
      if (element.value !== value) throw new Blocked(`${selector} does not take the value`);
    } else {
      throw new Blocked(`${selector} is no field that can be filled`);
    }
    changed(element);
  };
  const select = (element, { selector, value }) => {
    const options = [...(element.options ?? [])].filter((option) => !option.disabled);
    const wanted = options.find((o) => o.value === value) ?? options.find((o) => o.label.trim() === value);
    if (wanted === undefined) throw new Blocked(`${selector} has no such option`);
    element.focus?.();
    wanted.selected = true;
    changed(element);
  };
  const act = (action) => {
    const element = usable(action);
    switch (action.verb) {
      case "fill":
        return fill(element, action);
      case "select":
        return select(element, action);
      case "click":
        return click(element, action.selector);
      default: {
        const wanted = action.verb === "check" && action.value !== "false";
        if (element.checked !== wanted) click(element, action.selector);
      }
    }
  };

  const pause = (seconds) => new Promise((done) => later(done, seconds * 1000));
  const settle = async () => {
    await pause(0);
    await pause(0);
    // Three frames at most: an animation asks for frames for ever.
    for (let waited = 0; frames.size > 0 && waited < 3; waited += 1) {
      await new Promise(frame);
      await pause(0);
    }
    if (config.settle > 0) await pause(config.settle);
    while (config.ready !== null && leaving === null && !all(config.ready).some(visible)) await pause(0.005);
  };

  const text = (element) => (element.innerText ?? element.textContent ?? "").slice(0, 10000).replace(/\s+/g, " ").trim();
  const number = (element) => /[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?/.exec(text(element).replace("−", "-"))?.[0];
  const read = (reading, index) => {
    const found = reading.kind === "dialog" ? [] : all(reading.selector).filter(visible);
    switch (reading.kind) {
      case "visible":
        return found.length > 0;
      case "count":
        return String(found.length);
      case "new": {
        const before = known.get(index) ?? new WeakSet();
        return found.filter((element) => !before.has(element)).map(text).filter(Boolean).join(", ");
      }
      case "checked":
        return found[0]?.checked ?? null;
      case "attribute":
        return all(reading.selector)[0]?.getAttribute(reading.name) ?? null;
      case "value":
        return found[0]?.value ?? null;
      case "number":
        return found[0] === undefined ? null : (number(found[0]) ?? null);
      default:
        return found[0] === undefined ? null : text(found[0]);
    }
  };
  const remember = () =>
    config.readings.forEach((reading, index) => {
      if (reading.kind === "new") known.set(index, new WeakSet(all(reading.selector)));
    });
  const look = () => {
    if (leaving !== null && leaving.defaultPrevented) leaving = null;
    if (leaving !== null) return { leaving: leaving.destination.url };
    if (document.readyState !== "complete") return { loading: true };
    const seen = {
      url: location.href,
      offered: Object.keys(config.offered).filter((symbol) => offered(config.offered[symbol])),
      readings: config.readings.map(read),
    };
    if (config.keeps) remember();
    return seen;
  };
  // In real time things come between the steps, too: new is what has come since the page was last looked at.
  const begin = (first) => {
    if (first && !config.keeps) remember();
  };
  const guarded = async (body) => {
    try {
      return await body();
    } catch (error) {
      if (error instanceof Blocked) return { blocked: error.message };
      throw error;
    }
  };

  Object.defineProperty(window, "__fullproof", {
    value: {
      keepFrames, // once more, after a clock that tests turn has replaced them
      // Does everything that a script can do, waits after each action, and looks.
      run: ({ actions, first }) =>
        guarded(async () => {
          begin(first);
          for (const action of actions) {
            act(action);
            await settle();
          }
          if (actions.length === 0) await settle();
          return look();
        }),
      // Where the mouse has to go, or the focus for a key.
      aim: ({ action, first }) =>
        guarded(async () => {
          begin(first);
          const element = usable(action);
          if (action.verb === "press" || action.verb === "type") {
            element.focus();
            return {};
          }
          const wanted = action.verb === "check" && action.value !== "false";
          if (action.verb.includes("check") && element.checked === wanted) return { done: true };
          const { x, y } = pointAt(element, action.selector);
          return { x, y };
        }),
    },
  });
})();
