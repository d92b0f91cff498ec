// The form of orders: what is chosen in it, the pieces on its cards, and sealed orders that fill it.
"use strict";

(() => {
  const { all, dirty, SVG, boxIn } = window.sealed;

  // --- the form: a card's input or a list's option is a field, and a field has a path of marks to be clicked

  const form = () => document.getElementById("choices");
  const marksOf = (field) => (field.dataset.marks ? field.dataset.marks.split(" ") : []);
  const slots = () => all("#choices .slot");
  const slotOf = (field) => field.closest(".slot");
  const titleOf = (slot) => slot.querySelector(".slot-title").textContent;
  let listed = [], of = null;

  // A form never changes what it offers; another one comes in its place.
  function fields() {
    if (form() !== of) {
      of = form();
      listed = all("#choices [data-marks]").map((field) => ({ field, slot: slotOf(field), marks: marksOf(field), heading: headingOf(field) }));
    }
    return listed;
  }

  const begins = (marks, path) => path.every((mark, place) => marks[place] === mark);
  const chosenIn = (slot) => all("input:checked, option:checked", slot).find((field) => field.value) || null;
  const chosen = () => slots().map(chosenIn).filter(Boolean);
  const required = (field) => (field.closest("select") || field).required;
  const nothingIn = (slot) => all("input, option", slot).find((field) => !field.value && !required(field)) || null;

  function choose(field) {
    field[field.tagName === "OPTION" ? "selected" : "checked"] = true;
    clearBeside();
    field.dispatchEvent(new CustomEvent("chosen", { bubbles: true }));
  }

  // A slot that may stay empty and repeats choices of another (a second move) stands beside those choices only: beside a rest
  // it would be a second order, and of two the later one counts.
  function clearBeside() {
    const values = (slot) => new Set(all("input, option", slot).map((field) => field.value).filter(Boolean));
    const every = slots();
    for (const beside of every.filter(nothingIn)) {
      const offered = values(beside);
      const main = every.find((slot) => slot !== beside && !nothingIn(slot) && [...offered].every((value) => values(slot).has(value)));
      if (!main || !chosenIn(main) || offered.has(chosenIn(main).value) || !chosenIn(beside)) continue;
      const nothing = nothingIn(beside);
      nothing[nothing.tagName === "OPTION" ? "selected" : "checked"] = true;
    }
  }

  // The heading over a choice, as the game gave it: a piece, a card.
  const headingOf = (field) => field.closest("optgroup")?.label || field.closest(".group")?.querySelector(".group-name")?.textContent || "";

  function words(field) {
    if (field.tagName === "OPTION") return field.textContent;
    return all(".pick-label, code", field.nextElementSibling).map((each) => each.textContent).join(" · ");
  }

  // --- copies of the pieces on their cards

  const drawn = (shape) => shape.getAttribute("fill") !== "none" || shape.hasAttribute("stroke");

  function extent(piece) {
    const boxes = all("polygon, path, rect, circle, ellipse", piece).filter(drawn).map((shape) => boxIn(piece.parentNode, shape));
    const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
    const right = Math.max(...boxes.map((box) => box.right)), bottom = Math.max(...boxes.map((box) => box.bottom));
    return { piece, middle: (left + right) / 2, bottom, size: Math.max(right - left, bottom - top) };
  }

  function copy({ piece, middle, bottom }, size) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `${middle - size / 2} ${bottom + 2 - size} ${size} ${size}`);
    svg.setAttribute("aria-hidden", "true");
    const twin = piece.cloneNode(true);
    twin.removeAttribute("id");
    for (const extra of all("title, text", twin)) extra.remove();
    svg.append(twin);
    return svg;
  }

  // One scale for all the cards of a slot, so that large stays large.
  function showPieces() {
    for (const slot of slots()) {
      const cards = all("input[data-marks]", slot).filter((input) => !input.nextElementSibling.querySelector("svg"));
      const known = cards.map((input) => [input, document.getElementById(input.dataset.marks)]).filter(([, piece]) => piece?.matches(".piece"));
      const pieces = known.map(([input, piece]) => [input, extent(piece)]).filter(([, { size }]) => size > 0);
      const size = Math.max(76, ...pieces.map(([, { size }]) => size + 4));
      for (const [input, piece] of pieces) input.nextElementSibling.prepend(copy(piece, size));
    }
  }

  // --- sealed orders that were shown fill the forms, where nobody has typed yet

  function fillSlots(orders) {
    const empty = new Set(slots());
    for (const input of all("#choices .slot input")) input.checked = input.defaultChecked = false;
    for (const option of all("#choices .slot option")) option.selected = option.defaultSelected = false;
    for (const order of orders.filter(Boolean)) {
      const field = all("#choices input, #choices option").find((each) => each.value === order && empty.has(slotOf(each)));
      if (field) settleOn(field, empty);
    }
    for (const slot of empty) if (nothingIn(slot)) settleOn(nothingIn(slot), empty);
  }

  function settleOn(field, empty) {
    empty.delete(slotOf(field));
    field[field.tagName === "OPTION" ? "defaultSelected" : "defaultChecked"] = true;
    choose(field);
  }

  function fillSealed() {
    const sealed = document.querySelector("[data-sealed]");
    if (!sealed || "filled" in sealed.dataset || dirty()) return;
    sealed.dataset.filled = "";
    const parts = all("pre", sealed).map((each) => (each.textContent === "no orders" ? "" : each.textContent));
    const set = (id, text) => { const field = document.getElementById(id); if (field) field.value = field.defaultValue = text; };
    set("text", parts.join("\nTHEN\n"));
    set("plan", parts.slice(1).join("\nTHEN\n"));
    fillSlots(parts[0].split("\n"));
  }

  // --- a long list is folded where neither a sheet nor a board keeps it apart from the rest

  function foldRows() {
    const narrow = window.matchMedia("(max-width: 899px)").matches && document.querySelector(".board-frame svg.board");
    for (const rows of all("details.rows:not([data-seen])")) {
      rows.dataset.seen = "";
      if (narrow && !rows.closest(".dock")) rows.open = false;
    }
  }

  // ---

  function settle() {
    foldRows();
    showPieces();
    fillSealed();
  }

  Object.assign(window.sealed, { form, slots, titleOf, marksOf, fields, begins, chosenIn, chosen, nothingIn, choose, headingOf, words });
  document.addEventListener("change", (event) => { if (event.target.closest("#choices")) clearBeside(); });
  document.addEventListener("htmx:after:settle", settle);
  document.addEventListener("DOMContentLoaded", settle);
})();
