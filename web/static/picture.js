// Where things are in the picture: what lies under a finger, the middle of a place, and hints drawn over it.
"use strict";

(() => {
  const { all } = window.sealed;
  const SVG = "http://www.w3.org/2000/svg";
  const FINGER = 10;  // pixels around a click in which a small piece is still meant
  const GRID = 14;  // samples of a place along each side, to find its middle

  const board = () => document.querySelector(".board-frame svg.board");

  // --- boxes and middles

  // A shape's own coordinates, as the element `around` counts.
  const into = (around, shape) => around.getScreenCTM().inverse().multiply(shape.getScreenCTM());

  function boxIn(around, shape) {
    const box = shape.getBBox();
    const matrix = into(around, shape);
    const corners = [[box.x, box.y], [box.x + box.width, box.y + box.height]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix));
    const [left, right] = corners.map(({ x }) => x).sort((a, b) => a - b);
    const [top, bottom] = corners.map(({ y }) => y).sort((a, b) => a - b);
    return { left, right, top, bottom };
  }

  const isPlace = (element) => element.matches("path, polygon") && Boolean(element.isPointInFill);
  const middles = new WeakMap();

  // The point of a place that is farthest from its border: the middle of its box may be a neighbour's.
  function inside(shape) {
    const box = shape.getBBox();
    const steps = [...Array(GRID).keys()].map((step) => (step + 0.5) / GRID);
    const points = steps.flatMap((down) => steps.map((along) => new DOMPoint(box.x + along * box.width, box.y + down * box.height)));
    const within = points.filter((point) => shape.isPointInFill(point));
    const beyond = points.filter((point) => !within.includes(point));
    const edge = (point) => Math.min(point.x - box.x, box.x + box.width - point.x, point.y - box.y, box.y + box.height - point.y);
    const room = (point) => Math.min(edge(point), ...beyond.map((other) => Math.hypot(other.x - point.x, other.y - point.y)));
    const known = within.map((point) => [room(point), point]);
    return known.reduce((best, each) => (each[0] > best[0] ? each : best), [-1, new DOMPoint(box.x + box.width / 2, box.y + box.height / 2)])[1];
  }

  function middle(picture, element) {
    if (!isPlace(element)) {
      const { left, right, top, bottom } = boxIn(picture, element);
      return [(left + right) / 2, (top + bottom) / 2];
    }
    if (!middles.has(element)) middles.set(element, inside(element));
    const { x, y } = middles.get(element).matrixTransform(into(picture, element));
    return [x, y];
  }

  // --- what was clicked: what lies under the point, topmost first, and then what is close to it

  function idsAt(picture, x, y) {
    return document.elementsFromPoint(x, y).map((element) => element.closest("[id]")).filter((element) => element && picture.contains(element)).map(({ id }) => id);
  }

  function under(event) {
    const picture = board();
    const around = [...Array(8).keys()].map((eighth) => [FINGER * Math.cos(eighth * Math.PI / 4), FINGER * Math.sin(eighth * Math.PI / 4)]);
    const here = idsAt(picture, event.clientX, event.clientY);
    const close = () => around.flatMap(([x, y]) => idsAt(picture, event.clientX + x, event.clientY + y));
    return { here: [...new Set(here)], close: () => [...new Set(close())].filter((id) => !here.includes(id)) };
  }

  // --- hints

  function add(parent, name, attributes) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
  }

  const inPicture = (picture, id) => {
    const element = document.getElementById(id);
    return element && picture.contains(element) ? element : null;
  };

  // A place is outlined as it is, everything else by a frame around it.
  function outline(layer, picture, id, kind) {
    const element = inPicture(picture, id);
    if (!element) return;
    if (isPlace(element)) {
      const { a, b, c, d, e, f } = into(picture, element);
      const shape = element.matches("path") ? { d: element.getAttribute("d") } : { points: element.getAttribute("points") };
      add(layer, element.tagName, { ...shape, transform: `matrix(${a} ${b} ${c} ${d} ${e} ${f})`, class: `hint place ${kind}` });
      return;
    }
    const { left, right, top, bottom } = boxIn(picture, element);
    const out = element.matches(".square") ? -4 : 3;  // squares touch each other, so their frames stay inside
    add(layer, "rect", { x: left - out, y: top - out, width: right - left + 2 * out, height: bottom - top + 2 * out, rx: 8, class: `hint ${kind}` });
  }

  function way(layer, picture, marks, kind) {
    const spots = marks.map((id) => inPicture(picture, id)).filter(Boolean).map((element) => middle(picture, element));
    if (spots.length < 2) return;
    add(layer, "polyline", { points: spots.map((spot) => spot.join(",")).join(" "), class: `hint way ${kind}` });
    add(layer, "circle", { cx: spots.at(-1)[0], cy: spots.at(-1)[1], r: 7, class: "hint end" });
  }

  function freshLayer(picture) {
    picture.querySelector(".hints")?.remove();
    for (const element of all(".clickable", picture)) element.classList.remove("clickable");
    const layer = document.createElementNS(SVG, "g");
    layer.setAttribute("class", "hints");
    layer.setAttribute("pointer-events", "none");
    picture.append(layer);
    return layer;
  }

  // --- a picture that is too small to be read, or clicked, can be made larger

  const SMALL = 0.6;  // pixels for one of the picture's units
  const scale = (picture) => picture.clientWidth / (picture.viewBox.baseVal.width || 1);

  function offerSize() {
    for (const frame of all(".board-frame")) {
      const picture = frame.querySelector("svg.board");
      if (!picture || frame.querySelector(".board-size") || scale(picture) >= SMALL) continue;
      const button = Object.assign(document.createElement("button"), { type: "button", className: "button quiet board-size", textContent: "Larger" });
      button.addEventListener("click", () => resize(frame, button));
      frame.querySelector(".board-scroll")?.after(button);
    }
  }

  function resize(frame, button) {
    const scroll = frame.querySelector(".board-scroll");
    const middle = (scroll.scrollLeft + scroll.clientWidth / 2) / scroll.scrollWidth;
    const large = frame.classList.toggle("large");
    button.textContent = large ? "Smaller" : "Larger";
    reach();
    scroll.scrollLeft = middle * scroll.scrollWidth - scroll.clientWidth / 2;
  }

  // A picture that is wider than its place is scrolled with the keyboard too.
  function reach() {
    for (const scroll of all(".board-scroll")) {
      const wide = scroll.scrollWidth > scroll.clientWidth;
      scroll.toggleAttribute("tabindex", wide);
      if (!wide) { scroll.removeAttribute("role"); continue; }
      scroll.tabIndex = 0;
      scroll.setAttribute("role", "region");
      scroll.setAttribute("aria-label", "The board");
    }
  }

  window.addEventListener("resize", reach);
  document.addEventListener("htmx:after:settle", reach);
  document.addEventListener("DOMContentLoaded", reach);
  document.addEventListener("htmx:after:settle", offerSize);
  document.addEventListener("DOMContentLoaded", offerSize);

  Object.assign(window.sealed, { SVG, board, boxIn, under, outline, way, freshLayer });
})();
