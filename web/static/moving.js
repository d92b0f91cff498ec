// Pieces move along their arrows: a board that takes the place of another begins where that one ended.
"use strict";

(() => {
  const { all, positions } = window.sealed;
  const MOVE = 700, APPEAR = 400;  // milliseconds
  const BOW = 0.1;  // of a way's length, as the arrows have it
  let before = null;

  function look() {
    const frame = document.querySelector(".board-frame[data-number]"), picture = frame?.querySelector("svg.board");
    if (!picture) return null;
    const pieces = all(".piece[id]", picture);
    const came = new Map(pieces.filter(({ dataset }) => dataset.from).map(({ id, dataset }) => [id, dataset.from]));
    const of = `${location.pathname.match(/^\/matches\/[^/]+/)} ${picture.getAttribute("viewBox")}`;
    return { of, picture, pieces, came, number: Number(frame.dataset.number), where: positions(picture, pieces) };
  }

  // Where each piece of this board was on the one before, or will be on the one after that was left.
  function starts(now) {
    const back = new Map([...before.came].map(([id, from]) => [from, id]));
    if (now.number < before.number) return (id) => before.where.get(back.get(id) ?? id);
    return (id) => before.where.get(now.came.get(id) ?? id);
  }

  function move(piece, [x, y], [u, v]) {
    const [across, down] = [x - u, y - v];
    const bowed = (share) => {
      const bend = 2 * share * (1 - share) * BOW;
      return `${across * (1 - share) - down * bend}px ${down * (1 - share) + across * bend}px`;
    };
    piece.animate([0, 0.25, 0.5, 0.75, 1].map((share) => ({ translate: bowed(share) })), { duration: MOVE, easing: "ease-in-out" });
  }

  function animate(now) {
    const start = starts(now);
    for (const piece of now.pieces) {
      const from = start(piece.id), to = now.where.get(piece.id);
      if (!from) piece.animate([{ opacity: 0 }, { opacity: 1 }], { duration: APPEAR });
      else if (Math.hypot(from[0] - to[0], from[1] - to[1]) > 2) move(piece, from, to);
    }
  }

  // ---

  function settle() {
    const now = look(), still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (now && before && now.picture !== before.picture && now.of === before.of && Math.abs(now.number - before.number) === 1 && !still) animate(now);
    before = now;
  }

  document.addEventListener("htmx:after:settle", settle);
  document.addEventListener("DOMContentLoaded", settle);
})();
