// A trial: the text box is the one place of its orders. What is clicked or chosen is written into it, what is typed is chosen.
"use strict";

(() => {
  const { all, form, slots, chosenIn, nothingIn, choose } = window.sealed;
  const box = () => document.querySelector("#written textarea");
  const PREFIX = "slot-";
  const nameOf = (slot) => slot.querySelector("input, select").name.slice(PREFIX.length);
  const plain = (line) => line.trim().replace(/\s+/g, " ").toUpperCase();
  const NONE = { order: "", line: "" };
  const THEN = /(?<![\p{L}\p{N}_])THEN(?![\p{L}\p{N}_])/iu, NOTE = /(?<=\S)\s+(?:#|\/\/)\s*(?=\p{L}).*/u;
  const valueOf = (slot) => chosenIn(slot)?.value || "";

  // For each slot the order that it holds, and the line of the box that says so.
  let held = new Map(), of = null, quiet = false;
  const offered = new Map();  // by an order as the choices spell it: the slots that have it

  function learn() {
    const told = document.querySelector("#trial[data-understood]") || document.getElementById("written");
    if (!form() || told === of) return;
    if (!held.size) listOffers();
    of = told;
    const known = new Map(JSON.parse(told.dataset.understood).map(([name, order, line]) => [name, { order, line }]));
    held = new Map(slots().map((slot) => [slot, known.get(nameOf(slot)) || NONE]));
    showHeld();
  }

  function listOffers() {
    for (const slot of slots()) {
      for (const { value } of all("input, option", slot)) offered.set(plain(value), [...(offered.get(plain(value)) || []), { slot, order: value }]);
    }
    offered.delete("");
  }

  function showHeld() {
    quiet = true;
    for (const [slot, { order }] of held) set(slot, order);
    form().dispatchEvent(new Event("change", { bubbles: true }));
    quiet = false;
  }

  function set(slot, order) {
    if (valueOf(slot) === order) return;
    const field = order ? all("input, option", slot).find(({ value }) => value === order) : nothingIn(slot);
    if (field) choose(field);
  }

  // --- from the choices to the box: the lines of other orders stay as they are

  // What comes after THEN is for later phases.
  function parted() {
    const lines = box().value.split("\n"), at = lines.findIndex((line) => THEN.test(line.replace(NOTE, "")));
    if (at < 0) return { now: lines, later: [] };
    const found = lines[at].search(THEN), before = lines[at].slice(0, found).trimEnd();
    return { now: [...lines.slice(0, at), ...(before ? [before] : [])], later: [lines[at].slice(found), ...lines.slice(at + 1)] };
  }

  function write() {
    const { now: lines, later } = parted();
    for (const slot of slots()) {
      const { order, line } = held.get(slot), now = valueOf(slot);
      if (now === order) continue;
      const at = line ? lines.findLastIndex((each) => each.trim() === line) : -1;
      const sharing = at < 0 ? [slot] : [...held.keys()].filter((each) => held.get(each).line === line);
      const wanted = sharing.map(valueOf).filter(Boolean);
      if (at >= 0) lines.splice(at, 1, ...wanted);
      else if (now) lines.splice(lines.findLastIndex((each) => each.trim()) + 1, 0, now);
      for (const each of sharing) held.set(each, { order: valueOf(each), line: valueOf(each) });
    }
    const text = [...lines, ...later].join("\n");
    if (box().value !== text) box().value = text;
    read();
  }

  // --- from the box to the choices: lines as the choices spell them; others are understood when they are tried

  function read() {
    const lines = parted().now.map((line) => line.trim()), found = new Map();
    for (const line of [...lines].reverse()) {
      const free = (offered.get(plain(line)) || []).find(({ slot }) => !found.has(slot));
      if (free) found.set(free.slot, { order: free.order, line });
    }
    for (const [slot, { order, line }] of held) if (!found.has(slot)) found.set(slot, line && order !== line && lines.includes(line) ? { order, line } : NONE);
    held = new Map(slots().map((slot) => [slot, found.get(slot)]));
    showHeld();
  }

  const changed = ({ target }) => { if (!quiet && held.size && target.closest?.("#choices")) write(); };

  // --- the address

  async function copy(button) {
    const field = document.getElementById(button.dataset.copy), said = button.parentElement.querySelector("[data-copied]");
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      said.textContent = "Copied.";
    } catch {
      said.textContent = document.execCommand("copy") ? "Copied." : "It is marked: copy it with the keyboard or the menu.";
    }
  }

  const offer = () => { for (const button of all("[data-copy]")) button.hidden = false; };

  // ---

  function settle() {
    learn();
    offer();
  }

  document.addEventListener("chosen", changed);
  document.addEventListener("change", changed);
  document.addEventListener("input", ({ target }) => { if (target === box() && held.size) read(); });
  document.addEventListener("click", ({ target }) => { if (target.closest("[data-copy]")) copy(target.closest("[data-copy]")); });
  document.addEventListener("htmx:after:settle", settle);
  document.addEventListener("DOMContentLoaded", settle);
})();
