// Ordering with the picture: its pieces and squares choose in the form, which alone is what gets sealed.
"use strict";

(() => {
  const { all, SVG, form, marksOf, fields, begins, chosenIn, chosen, nothingIn, choose, headingOf, words, boxIn } = window.sealed;
  const board = () => document.querySelector(".board-frame svg.board");

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

  const offers = (slot, mark) => fields().some((each) => each.slot === slot && each.marks[0] === mark);

  // The slot that is about this piece already; else the first that is empty, or holds what no later one could take:
  // a move in place of a rest, but a second move beside the first.
  function slotFor(slots) {
    const first = (slot) => (chosenIn(slot) ? marksOf(chosenIn(slot))[0] : null);
    return slots.find((slot) => first(slot) === path[0])
      || slots.find((slot, place) => !chosenIn(slot) || !slots.slice(place + 1).some((later) => offers(later, first(slot))));
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
    const { left, right, top, bottom } = boxIn(picture, element);
    const out = element.matches(".square") ? -4 : 3;  // squares touch each other, so their frames stay inside
    return { x: left - out, y: top - out, width: right - left + 2 * out, height: bottom - top + 2 * out };
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

  // What the path is about so far: the heading that all its choices share, else what was clicked.
  function subject() {
    const headings = new Set(fields().filter(({ marks }) => begins(marks, path)).map(({ field }) => headingOf(field)));
    return headings.size === 1 && [...headings][0] ? [...headings][0] : named(path.at(-1));
  }

  function sentence() {
    const next = path.length ? reachable().size : 0;
    const places = next === 1 ? "the marked place" : `one of the ${next} marked places`;
    if (path.length && !whole()) return `${subject()}: now click ${places}.`;
    const open = all("#choices .slot").filter((slot) => !chosenIn(slot) && !nothingIn(slot)).map((slot) => slot.querySelector("legend").textContent);
    const orders = chosen().map(words);
    const told = orders.length ? `Chosen: ${orders.join("; ")}.` : "Nothing is chosen.";
    return [told, next ? `You may go on with ${places}.` : "", open.length ? `Still to choose: ${open.join(" ")}` : ""].filter(Boolean).join(" ");
  }

  function tell() {
    const bar = document.querySelector(".board-bar");
    if (!bar) return;
    const active = Boolean(form()) && (played || path.length > 0);
    const line = active ? sentence() : fields().length ? "Click the picture to order, or use the form." : "";
    const said = bar.querySelector(".board-said");
    if (said.textContent !== line) said.textContent = line;
    bar.classList.toggle("on", active);
    bar.querySelector("button").hidden = !(active && played && chosen().length && form().checkValidity());
  }

  function show() {
    const picture = board();
    if (picture) picture.toggleAttribute("data-picking", path.length > 0 && !whole());
    drawHints();
    tell();
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
    show();
  }

  document.addEventListener("htmx:after:settle", settle);
  document.addEventListener("DOMContentLoaded", settle);
})();
