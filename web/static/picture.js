// Where things are in the picture: what lies under a finger, the middle of a place, and hints drawn over it.
"use strict";

(() => {
  const { all } = window.sealed;
  const SVG = "http://www.w3.org/2000/svg";
  const STILL = 6;  // pixels that a mouse may move and still click
  const FINGER = 10;  // pixels around a click in which a small piece is still meant
  const CLEAR = 16, HEAD = 12, BOW = 0.1;  // the picture's units around a piece, of an arrow's head; a bow's share of its length
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

  const between = ([x, y], [u, v], share) => [x + (u - x) * share, y + (v - y) * share];

  // A point `by` units from the first of two points towards the second; at most a third of the way.
  function towards(one, other, by) {
    const far = Math.hypot(other[0] - one[0], other[1] - one[1]);
    return far ? between(one, other, Math.min(by / far, 1 / 3)) : one;
  }

  // What is ordered, as the results are drawn: an arrow from place to place; help for a move ends in the middle of that move.
  function way(layer, picture, marks, kind) {
    const all = marks.map((id) => inPicture(picture, id)).filter(Boolean).map((element) => middle(picture, element));
    const helps = kind === "aid" && all.length > 2;
    const spots = helps ? [all[0], between(all[1], all.at(-1), 0.5)] : all;
    if (spots.length < 2) return;
    const start = towards(spots[0], spots[1], CLEAR), last = spots.at(-1), before = spots.at(-2);
    const bow = kind !== "aid" && spots.length === 2 ? BOW : 0;
    const bend = [(start[0] + last[0]) / 2 + (last[1] - start[1]) * bow, (start[1] + last[1]) / 2 - (last[0] - start[0]) * bow];
    const from = bow ? bend : before;
    const end = helps ? last : towards(last, from, HEAD);
    const line = bow ? `M${start} Q${bend} ${end}` : `M${[start, ...spots.slice(1, -1), end].join(" L")}`;
    add(layer, "path", { d: line, class: "halo" });
    add(layer, "path", { d: line, class: `hint way ${kind}` });
    if (helps) add(layer, "circle", { cx: last[0], cy: last[1], r: 6, class: "hint end" });
    else add(layer, "polygon", { points: head(from, last).join(" "), class: "hint end" });
  }

  function head(from, tip) {
    const [x, y] = towards(tip, from, 1.6 * HEAD);
    const [across, down] = [(tip[1] - y) / 2, (tip[0] - x) / 2];
    return [tip, [x + across, y - down], [x - across, y + down]];
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

  // --- a picture that is too small to be read, or clicked, can be made larger: by a button, two fingers, or the wheel with Ctrl

  const SMALL = 0.6;  // pixels for one of the picture's units
  const READABLE = 0.95, LARGEST = 5;  // pixels for a unit; times the size that fits
  const WIDE = 900, BESIDE = 364;  // pixels: from where on something stands beside the board, and its least width
  const scale = (picture) => picture.clientWidth / (picture.viewBox.baseVal.width || 1);
  const fitted = new WeakMap();  // the size that fits the window

  function offerSize() {
    for (const frame of all(".board-frame")) {
      const picture = frame.querySelector("svg.board");
      if (!picture || frame.querySelector(".board-size") || scale(picture) >= SMALL) continue;
      const button = Object.assign(document.createElement("button"), { type: "button", className: "button quiet board-size", textContent: "Larger" });
      button.addEventListener("click", () => resize(frame));
      frame.querySelector(".board-scroll")?.after(button);
    }
  }

  const factorOf = (frame) => Number(frame.dataset.factor || 1);

  // Shows the picture so many times as large as it fits; what is at the point `at` of the window stays there.
  function zoom(frame, wanted, at) {
    const scroll = frame.querySelector(".board-scroll"), picture = frame.querySelector("svg.board");
    const was = picture.getBoundingClientRect();
    const share = [(at[0] - was.left) / was.width, (at[1] - was.top) / was.height];
    if (factorOf(frame) === 1) fitted.set(frame, { width: was.width, height: was.height });
    const { width, height } = fitted.get(frame);
    const factor = Math.min(Math.max(wanted, 1), LARGEST), large = factor > 1.02;
    const room = innerWidth < WIDE ? width : Math.max(width, (frame.closest(".table")?.clientWidth || 0) - BESIDE);
    Object.assign(scroll.style, large ? { width: `${Math.min(width * factor, room)}px`, height: `${height}px` } : { width: "", height: "" });
    Object.assign(picture.style, large ? { width: `${width * factor}px`, maxWidth: "none", maxHeight: "none" } : { width: "", maxWidth: "", maxHeight: "" });
    frame.dataset.factor = large ? factor : 1;
    frame.classList.toggle("large", large);
    for (const button of all(".board-size", frame)) button.textContent = large ? "Smaller" : "Larger";
    const now = picture.getBoundingClientRect();
    scroll.scrollLeft += now.left + share[0] * now.width - at[0];
    scroll.scrollTop += now.top + share[1] * now.height - at[1];
    reach();
  }

  // Opens at the unit that was chosen last, else at the first that waits for an order.
  function resize(frame) {
    const picture = frame.querySelector("svg.board"), scroll = frame.querySelector(".board-scroll");
    const first = document.querySelector("#choices [data-marks]")?.dataset.marks.split(" ")[0];
    const piece = inPicture(picture, window.sealed.interest?.() || "") || inPicture(picture, first || "");
    const { left, top, width, height } = (piece || picture).getBoundingClientRect();
    zoom(frame, factorOf(frame) > 1 ? 1 : Math.max(READABLE / scale(picture), 1.6), [left + width / 2, top + height / 2]);
    if (!piece || factorOf(frame) === 1) return;
    const box = piece.getBoundingClientRect(), view = scroll.getBoundingClientRect();
    scroll.scrollBy(box.left + box.width / 2 - view.left - view.width / 2, box.top + box.height / 2 - view.top - view.height / 2);
  }

  let across = innerWidth;

  // Another height alone is a phone's address bar that comes or goes.
  function fitAgain() {
    if (innerWidth === across) return;
    across = innerWidth;
    for (const frame of all(".board-frame.large")) zoom(frame, 1, [0, 0]);
  }

  const frameAt = (target) => (target.closest?.(".board-scroll") ? target.closest(".board-frame") : null);
  const spread = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  let pinch = null, drag = null;

  function startPinch(event) {
    const frame = event.touches.length === 2 && frameAt(event.target);
    pinch = frame ? { frame, apart: spread(event.touches), factor: factorOf(frame) } : null;
  }

  function movePinch(event) {
    if (!pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const [one, other] = event.touches;
    zoom(pinch.frame, pinch.factor * spread(event.touches) / pinch.apart, [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2]);
  }

  function wheel(event) {
    const frame = event.ctrlKey && frameAt(event.target);
    if (!frame) return;
    event.preventDefault();
    zoom(frame, factorOf(frame) * Math.exp(-event.deltaY / 300), [event.clientX, event.clientY]);
  }

  // A mouse drags a large picture; fingers scroll it by themselves.
  function startDrag(event) {
    const frame = event.pointerType === "mouse" && event.button === 0 && frameAt(event.target);
    const scroll = frame && frame.classList.contains("large") && frame.querySelector(".board-scroll");
    drag = scroll ? { scroll, x: event.clientX, y: event.clientY, left: scroll.scrollLeft, top: scroll.scrollTop, moved: false } : null;
  }

  function moveDrag(event) {
    if (!drag || !(event.buttons & 1)) return;
    drag.moved ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > STILL;
    if (drag.moved) drag.scroll.scrollTo(drag.left + drag.x - event.clientX, drag.top + drag.y - event.clientY);
  }

  function endDrag(event) {
    if (drag?.moved) event.stopPropagation();  // this click was the end of dragging
    drag = null;
  }

  document.addEventListener("touchstart", startPinch, { passive: true });
  document.addEventListener("touchmove", movePinch, { passive: false });
  document.addEventListener("wheel", wheel, { passive: false });
  document.addEventListener("pointerdown", startDrag);
  document.addEventListener("pointermove", moveDrag);
  document.addEventListener("click", endDrag, true);
  window.addEventListener("resize", fitAgain);

  // A picture that is wider than its place is scrolled with the keyboard too.
  function reach() {
    for (const scroll of all(".board-scroll")) {
      const wide = scroll.scrollWidth > scroll.clientWidth + 1 || scroll.scrollHeight > scroll.clientHeight + 1;
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

  const positions = (picture, pieces) => new Map(pieces.map((piece) => [piece.id, middle(picture, piece)]));

  Object.assign(window.sealed, { SVG, positions, board, boxIn, under, outline, way, freshLayer });
})();
