// Ordering with the picture: its pieces and squares choose in the form, which alone is what gets sealed.
"use strict";

(() => {
  const { all, dirty } = window.sealed;
  const SVG = "http://www.w3.org/2000/svg";
  const form = () => document.getElementById("choices");
  const board = () => document.querySelector(".board-frame svg.board");

  // --- the form: a card's input or a list's option is a field, and a field has a path of marks to be clicked

  const marksOf = (field) => (field.dataset.marks ? field.dataset.marks.split(" ") : []);
  const slotOf = (field) => field.closest(".slot");
  const fields = () => all("#choices [data-marks]").map((field) => ({ field, slot: slotOf(field), marks: marksOf(field) }));
  const begins = (marks, path) => path.every((mark, place) => marks[place] === mark);
  const chosenIn = (slot) => all("input:checked, option:checked", slot).find((field) => field.value) || null;
  const chosen = () => all("#choices .slot").map(chosenIn).filter(Boolean);
  const required = (field) => (field.closest("select") || field).required;
  const nothingIn = (slot) => all("input, option", slot).find((field) => !field.value && !required(field)) || null;

  function choose(field) {
    field[field.tagName === "OPTION" ? "selected" : "checked"] = true;
  }

  function words(field) {
    if (field.tagName !== "OPTION") return all(".pick-label, code", field.nextElementSibling).map((each) => each.textContent).join(" · ");
    const group = field.closest("optgroup");
    return (group ? `${group.label}: ` : "") + field.textContent;
  }

  // --- the path that is being clicked

  let path = [];  // ids of the picture's elements
  let played = false;  // whether the board was used since the form came

  const reachable = () => new Set(fields().filter(({ marks }) => marks.length > path.length && begins(marks, path)).map(({ marks }) => marks[path.length]));

  function under(event) {
    const picture = board();
    const found = document.elementsFromPoint(event.clientX, event.clientY).map((element) => element.closest("[id]"));
    return [...new Set(found)].filter((element) => element && picture.contains(element)).map((element) => element.id);
  }

  // A piece and its square lie under the same finger: the one that goes on with the path is meant.
  function follow(ids) {
    const next = ids.find((id) => reachable().has(id));
    if (next) return [...path, next];
    path = [];
    const first = ids.find((id) => reachable().has(id));
    return first ? [first] : [];
  }

  // The slot that is about this piece already, else the first that is empty.
  function slotFor(slots) {
    const about = slots.find((slot) => chosenIn(slot) && marksOf(chosenIn(slot))[0] === path[0]);
    return about || slots.find((slot) => !chosenIn(slot)) || slots[0];
  }

  // Clicked once more, a path leads to the next choice that it may mean, or back to none.
  function complete() {
    const whole = fields().filter(({ marks }) => marks.length === path.length && begins(marks, path));
    if (!whole.length) return;
    const slot = slotFor([...new Set(whole.map((each) => each.slot))]);
    const possible = whole.filter((each) => each.slot === slot).map((each) => each.field);
    const place = possible.indexOf(chosenIn(slot));
    choose(possible[place + 1] || (place >= 0 && nothingIn(slot)) || possible[0]);
    played = true;
  }

  function click(event) {
    const picture = board();
    if (!form() || !picture || !picture.contains(event.target)) return;
    path = follow(under(event));
    if (path.length) complete();
    show();
  }

  // --- what is shown of it

  function frame(picture, id) {
    const element = document.getElementById(id);
    if (!element || !picture.contains(element)) return null;
    const box = element.getBBox();
    const matrix = picture.getScreenCTM().inverse().multiply(element.getScreenCTM());
    const corners = [[box.x, box.y], [box.x + box.width, box.y + box.height]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix));
    const [left, right] = corners.map(({ x }) => x).sort((a, b) => a - b);
    const [top, bottom] = corners.map(({ y }) => y).sort((a, b) => a - b);
    return { x: left - 3, y: top - 3, width: right - left + 6, height: bottom - top + 6 };
  }

  function add(parent, name, attributes) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
  }

  function outline(layer, picture, id, kind) {
    const box = frame(picture, id);
    if (box) add(layer, "rect", { ...box, rx: 8, class: `hint ${kind}` });
  }

  function way(layer, picture, marks) {
    const spots = marks.map((id) => frame(picture, id)).filter(Boolean).map((box) => [box.x + box.width / 2, box.y + box.height / 2]);
    if (spots.length < 2) return;
    add(layer, "polyline", { points: spots.map((spot) => spot.join(",")).join(" "), class: "hint way" });
    add(layer, "circle", { cx: spots.at(-1)[0], cy: spots.at(-1)[1], r: 7, class: "hint end" });
  }

  function drawHints() {
    const picture = board();
    if (!picture) return;
    picture.querySelector(".hints")?.remove();
    for (const element of all(".clickable", picture)) element.classList.remove("clickable");
    if (!form()) return;
    const layer = document.createElementNS(SVG, "g");
    layer.setAttribute("class", "hints");
    layer.setAttribute("pointer-events", "none");
    picture.append(layer);
    const next = reachable();
    for (const field of chosen()) {
      for (const id of marksOf(field)) outline(layer, picture, id, "chosen");
      way(layer, picture, marksOf(field));
    }
    for (const id of path) outline(layer, picture, id, "chosen");
    if (path.length) for (const id of next) outline(layer, picture, id, "next");
    for (const id of [...next, ...fields().map(({ marks }) => marks[0])]) document.getElementById(id)?.classList.add("clickable");
  }

  const named = (id) => document.getElementById(id)?.querySelector("title")?.textContent || "";
  const whole = () => fields().some(({ marks }) => marks.length === path.length && begins(marks, path));

  function sentence() {
    const next = path.length ? reachable().size : 0;
    const places = next === 1 ? "the marked place" : `one of the ${next} marked places`;
    if (path.length && !whole()) return `${named(path.at(-1))}: now click ${places}.`;
    const open = all("#choices .slot").filter((slot) => !chosenIn(slot) && !nothingIn(slot)).map((slot) => slot.querySelector("legend").textContent);
    const orders = chosen().map(words);
    const told = orders.length ? `Chosen: ${orders.join("; ")}.` : "Nothing is chosen.";
    return [told, next ? `You may go on with ${places}.` : "", open.length ? `Still to choose: ${open.join(" ")}` : ""].filter(Boolean).join(" ");
  }

  function tell() {
    const bar = document.querySelector(".board-bar");
    if (!bar) return;
    const active = Boolean(form()) && (played || path.length > 0);
    const words = active ? sentence() : "";
    const said = bar.querySelector(".board-said");
    if (said.textContent !== words) said.textContent = words;
    bar.classList.toggle("on", active);
    bar.querySelector("button").hidden = !(active && played && chosen().length && form().checkValidity());
  }

  function show() {
    const picture = board();
    if (picture) picture.toggleAttribute("data-picking", path.length > 0 && !whole());
    drawHints();
    tell();
  }

  // --- copies of the pieces on their cards

  function extent(piece) {
    const boxes = all("polygon, path, rect, circle, ellipse", piece).map((shape) => shape.getBBox());
    const left = Math.min(...boxes.map((box) => box.x)), top = Math.min(...boxes.map((box) => box.y));
    const right = Math.max(...boxes.map((box) => box.x + box.width)), bottom = Math.max(...boxes.map((box) => box.y + box.height));
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
    for (const slot of all("#choices .slot")) {
      const cards = all("input[data-marks]", slot).filter((input) => !input.nextElementSibling.querySelector("svg"));
      const known = cards.map((input) => [input, document.getElementById(input.dataset.marks)]).filter(([, piece]) => piece?.matches(".piece"));
      const drawn = known.map(([input, piece]) => [input, extent(piece)]).filter(([, { size }]) => size > 0);
      const size = Math.max(76, ...drawn.map(([, { size }]) => size + 4));
      for (const [input, piece] of drawn) input.nextElementSibling.prepend(copy(piece, size));
    }
  }

  // --- sealed orders that were shown fill the forms, where nobody has typed yet

  function fillSlots(orders) {
    const empty = new Set(all("#choices .slot"));
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

  // ---

  document.addEventListener("click", click);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !path.length) return;
    path = [];
    show();
  });
  document.addEventListener("change", (event) => {
    if (!event.target.closest("#choices")) return;
    path = [];
    show();
  });

  let seen = null;

  function settle() {
    if (form() !== seen) {
      seen = form();
      path = [];
      played = false;
    }
    showPieces();
    fillSealed();
    show();
  }

  document.addEventListener("htmx:after:settle", settle);
  document.addEventListener("DOMContentLoaded", settle);
})();
