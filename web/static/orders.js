// Ordering with the picture: its pieces and places choose in the form, which alone is what gets sealed.
"use strict";

(() => {
  const { all, form, slots, titleOf, marksOf, fields, begins, chosenIn, chosen, nothingIn, choose, headingOf, words } = window.sealed;
  const { board, under, outline, way, freshLayer, fill, plural } = window.sealed;
  const MOST_LAID_OUT = 2;  // choices to be made; of more only the newest is told, and how many there are

  // --- the path that is being clicked

  let path = [];  // ids of the picture's elements
  let group = null;  // the heading that was chosen for it: what a piece shall do, where it can do several things
  let played = false;  // whether the board was used since the form came
  let newest = null;  // the field that was chosen last

  const begun = () => fields().filter(({ marks }) => begins(marks, path));
  const meant = () => begun().filter(({ heading }) => group === null || heading === group);
  const onFrom = (found) => new Set(found.filter(({ marks }) => marks.length > path.length).map(({ marks }) => marks[path.length]));
  const firsts = () => new Set(fields().map(({ marks }) => marks[0]));
  const groups = () => (path.length ? [...new Set(fields().filter(({ marks }) => marks[0] === path[0]).map(({ heading }) => heading))] : []);
  const undecided = () => group === null && path.length === 1 && groups().length > 1;
  const whole = () => !undecided() && meant().some(({ marks }) => marks.length === path.length);

  // The places that light up: while nothing is said of what a piece shall do, those of the first thing that needs a place.
  function lit() {
    if (!path.length) return new Set();
    if (!undecided()) return onFrom(meant());
    const first = usual();
    return onFrom(begun().filter(({ heading }) => heading === first));
  }
  const usual = () => usualOf(path[0]);
  const usualOf = (mark) => {
    const own = fields().filter(({ marks }) => marks[0] === mark);
    return (own.find(({ marks }) => marks.length > 1 && marks[1] !== mark) || own[0]).heading;
  };

  // What a click on these ids, topmost first, goes on with or begins; null for nothing.
  function step(ids) {
    const beginnings = firsts(), places = lit();
    const begin = ids.find((id) => beginnings.has(id) && id !== path[0]);
    const next = ids.find((id) => places.has(id));
    if (whole() && group !== null && begin && ids.indexOf(begin) < ids.indexOf(next)) return [begin];
    if (next) return [...path, next];
    if (begin) return [begin];
    const other = ids.find((id) => path.length && onFrom(meant()).has(id));
    return other ? [...path, other] : ids.includes(path[0]) ? [path[0]] : null;
  }

  function follow({ here, close }) {
    const found = step(here) || step(close()) || [];
    if (found.length < 2) group = null;
    path = found;
  }

  const offers = (slot, mark) => fields().some((each) => each.slot === slot && each.marks[0] === mark);

  // The slot that is about this piece already; else the first that is empty, or holds what no later one could take:
  // a move in place of a rest, but a second move beside the first.
  function slotFor(possible) {
    const first = (slot) => (chosenIn(slot) ? marksOf(chosenIn(slot))[0] : null);
    return possible.find((slot) => first(slot) === path[0])
      || possible.find((slot, place) => !chosenIn(slot) || !possible.slice(place + 1).some((later) => offers(later, first(slot))));
  }

  // Clicked once more, a path leads to the next choice that it may mean, or back to none.
  function complete() {
    if (undecided()) return;
    const found = meant().filter(({ marks }) => marks.length === path.length);
    if (!found.length) return;
    const slot = slotFor([...new Set(found.map((each) => each.slot))]);
    const possible = found.filter((each) => each.slot === slot).map((each) => each.field);
    const place = possible.indexOf(chosenIn(slot));
    choose(possible[place + 1] || (place >= 0 && nothingIn(slot)) || possible[0]);
    newest = chosenIn(slot);
    played = true;
  }

  function click(event) {
    const picture = board();
    if (!form() || !picture || !picture.contains(event.target)) return;
    follow(under(event));
    if (path.length) complete();
    show();
  }

  // What a piece shall do was said: its places light up, or it is done. To click a piece twice is what it can do on the spot.
  function decide(heading) {
    path = [path[0]];
    group = heading;
    const next = onFrom(meant());
    if (next.size === 1 && next.has(path[0])) path.push(path[0]);
    if (path.length > 1 || !next.size) complete();
    show();
  }

  // --- what is shown of it

  function drawHints() {
    const picture = board();
    if (!picture) return;
    const layer = freshLayer(picture);
    if (!form()) return;
    for (const field of chosen()) {
      const marks = [...new Set(marksOf(field))];
      if (!count()) for (const id of marks) outline(layer, picture, id, "chosen");
      else if (marks.length === 1) outline(layer, picture, marks[0], "chosen");
      way(layer, picture, marks, marks.length && headingOf(field) !== usualOf(marks[0]) ? "aid" : "");
    }
    const next = lit();
    for (const id of next) outline(layer, picture, id, "next");
    for (const id of path) outline(layer, picture, id, "chosen");
    for (const id of [...next, ...firsts()]) document.getElementById(id)?.classList.add("clickable");
  }

  const DECIDE = {
    one: "{piece}: click the marked place, or say what it does.",
    other: "{piece}: click one of the {n} marked places, or say what it does.",
  };
  const CLICK = { one: "{subject}: now click the marked place.", other: "{subject}: now click one of the {n} marked places." };
  const GO_ON = { one: "You may go on with the marked place.", other: "You may go on with one of the {n} marked places." };
  const CHOSEN = { one: "{n} of {all} are chosen.", other: "{n} of {all} are chosen." };
  const SAY = "{piece}: say what it does.", CHOOSE = "{subject}: choose in the form.";

  const named = (id) => document.getElementById(id)?.querySelector("title")?.textContent || "";

  // What the path is about so far: the heading that all its choices share, else what was clicked.
  function subject() {
    if (group) return `${named(path[0])}, ${group}`;
    const headings = new Set(begun().map(({ heading }) => heading));
    return headings.size === 1 && [...headings][0] ? [...headings][0] : named(path.at(-1));
  }

  // A choice on a line of a list says only what is done, so the line's title says by whom.
  const choiceOf = (field) => (field.closest(".slot.line") ? fill("{piece}, {deed}", { piece: titleOf(field.closest(".slot")), deed: words(field) }) : words(field));

  function told() {
    const found = chosen();
    if (!found.length) return "Nothing is chosen.";
    if (!count()) return `Chosen: ${found.map(choiceOf).join("; ")}.`;
    return found.includes(newest) ? `Chosen: ${choiceOf(newest)}.` : "";
  }

  // How much is done of many slots; those that go with another one count with it.
  function count() {
    const counted = slots().filter((slot) => !slot.matches(".beside, .slot-apart *"));
    return counted.length > MOST_LAID_OUT ? plural(counted.filter(chosenIn).length, CHOSEN, { all: counted.length }) : "";
  }

  function left() {
    const open = slots().filter((slot) => !chosenIn(slot) && !nothingIn(slot)).map(titleOf);
    return open.length && !count() ? `Still to choose: ${open.join(" ")}` : "";
  }

  function sentence() {
    const next = path.length ? lit().size : 0;
    if (undecided()) return next ? plural(next, DECIDE, { piece: named(path[0]) }) : fill(SAY, { piece: named(path[0]) });
    if (path.length && !whole()) return next ? plural(next, CLICK, { subject: subject() }) : fill(CHOOSE, { subject: subject() });
    return [told(), next ? plural(next, GO_ON) : "", count(), left()].filter(Boolean).join(" ");
  }

  // The heading of what was chosen for the piece that was clicked.
  const ordered = () => chosen().filter((field) => marksOf(field)[0] === path[0]).map(headingOf)[0];
  const natures = () => (path.length ? all(".slot.beside option", begun()[0]?.slot.closest(".slot-row") || document.createElement("div")) : []);

  // What a clicked piece can do, as buttons, and what it may be: what is meant is pressed.
  function menu(bar) {
    const names = groups().length > 1 ? groups() : [];
    const now = group ?? (undecided() ? usual() : ordered());
    buttons(bar, "board-ways", "What {piece} does", names.map((name) => ({ name, pressed: name === now, press: () => decide(name) })));
    buttons(bar, "board-natures", "What {piece} is", natures().map((field) => ({ name: field.textContent, pressed: field.selected, press: () => become(field) })));
  }

  function become(field) {
    choose(field);
    newest = field;
    played = true;
    show();
  }

  function buttons(bar, kind, label, wanted) {
    const place = bar.querySelector(`.${kind}`) || bar.appendChild(Object.assign(document.createElement("div"), { className: kind }));
    place.hidden = !wanted.length;
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", wanted.length ? fill(label, { piece: named(path[0]) }) : "");
    if (all("button", place).map((each) => each.textContent).join() !== wanted.map(({ name }) => name).join()) {
      place.replaceChildren(...wanted.map(({ name }) => Object.assign(document.createElement("button"), { type: "button", className: "button quiet way-button", textContent: name })));
    }
    wanted.forEach(({ pressed, press }, at) => {
      place.children[at].onclick = press;
      place.children[at].setAttribute("aria-pressed", String(pressed));
    });
  }

  function tell() {
    const bar = document.querySelector(".board-bar");
    if (!bar) return;
    const active = Boolean(form()) && (played || path.length > 0);
    const line = active ? sentence() : fields().length ? "Click the picture to order, or use the form." : "";
    const said = bar.querySelector(".board-said");
    if (said.textContent !== line) said.textContent = line;
    bar.classList.toggle("on", active);
    const picking = path.length > 0 && !whole();
    bar.querySelector("[form]").hidden = picking || !(active && played && chosen().length && form().checkValidity());
    menu(bar);
    for (const each of all(".slots-count")) each.textContent = count();
  }

  function show() {
    const picture = board();
    if (picture) picture.toggleAttribute("data-picking", path.length > 0 && !whole());
    drawHints();
    tell();
  }

  function forget() {
    path = [];
    group = null;
    show();
  }

  // ---

  document.addEventListener("click", click);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && path.length) forget(); });
  document.addEventListener("change", (event) => {
    if (!event.target.closest("#choices")) return;
    const slot = event.target.closest(".slot");
    if (slot) newest = chosenIn(slot);
    if (slot && document.querySelector(".dock-head .board-bar")) played = true;  // on a phone it seals from the head of the sheet
    forget();
  });

  // The piece that matters now, to which a picture made larger goes.
  window.sealed.interest = () => path[0] || (newest && marksOf(newest)[0]) || fields().find(({ slot }) => !chosenIn(slot))?.marks[0];

  let seen = null;

  function settle() {
    if (form() !== seen) {
      seen = form();
      played = false;
      newest = null;
      path = [];
      group = null;
    }
    show();
  }

  document.addEventListener("htmx:after:settle", settle);
  document.addEventListener("DOMContentLoaded", settle);
})();
