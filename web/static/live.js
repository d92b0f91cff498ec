// Open pages learn that a match has moved on: from the live stream, or by asking for it. A bar offers what is new; nothing is
// swapped under a person's hands. Only a page that waits for the outcome of its viewer's own deed goes on by itself.
"use strict";

(() => {
  const { all, dirty, fetchPart, touched, keepFocus, plural } = window.sealed;
  const ASK = 15000, OWN = 30000, AWAY = 30000, SOON = 700;  // milliseconds between two questions: without the stream, for what
  // only this viewer may know, in a background tab, and while the viewer's own deed is under way
  const PATIENCE = 20000, AGAIN = 300000, SPREAD = 1500;
  const UNREACHED = "The site could not be reached. Press again in a moment";
  const FORMS = "#choices, #written, #ahead";
  const place = () => document.querySelector("[data-news]");
  const box = () => document.getElementById("owed");
  const bar = () => document.getElementById("news");
  const here = () => all("[data-live]");
  const named = () => [...new Set(here().map((each) => each.dataset.live))].sort().join("~");

  // --- listening: the stream says "match X is at step N" and nothing else

  let source = null, streams = false, listensTo = "", retry = 0;

  async function listen() {
    const uids = named();
    if (source && uids === listensTo) return;
    hangUp();
    if (!uids || document.hidden) return;
    listensTo = uids;
    const found = await get(`/changes/stream?of=${uids}`);
    if (!found || uids !== listensTo || document.hidden || source) return;
    const opened = source = new EventSource(found.address);
    opened.onopen = () => { streams = true; schedule(); };
    opened.onmessage = ({ data }) => hear(JSON.parse(data));
    opened.addEventListener("renew", () => { hangUp(); listen(); });
    opened.onerror = () => {
      streams = false;
      if (opened.readyState === EventSource.CLOSED && opened === source) { hangUp(); retry = setTimeout(listen, AGAIN); }
      schedule();
    };
  }

  function hangUp() {
    clearTimeout(retry);
    source?.close();
    source = null;
    streams = false;
    listensTo = "";
  }

  // --- asking: where nothing streams, and for what only this viewer may know

  let timer = 0, pace = SOON, watched = null;

  function interval() {
    const waits = place();
    if (waits && "soon" in waits.dataset) return (pace = Math.min(pace * 1.25, ASK));
    if (document.hidden) return AWAY;
    return streams ? (waits && "own" in waits.dataset ? OWN : 0) : ASK;
  }

  function schedule() {
    clearTimeout(timer);
    const wait = here().length ? interval() : 0;
    if (wait) timer = setTimeout(ask, wait);
  }

  async function ask() {
    clearTimeout(timer);
    if (place()) await askNews();
    else if (here().length) await askSteps();
    schedule();
  }

  async function get(address, tag) {
    const headers = tag ? { "If-None-Match": `"${tag}"` } : {};
    try {
      const answer = await fetch(address, { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
      return answer.status === 200 ? Object.assign(await answer.json(), { tag: answer.headers.get("ETag")?.split('"')[1] }) : null;
    } catch {
      return null;  // the next try may reach the site
    }
  }

  let known = {};  // the tag of the last answer, and of what

  async function askSteps() {
    const uids = named();
    const { tag, ...steps } = await get(`/changes?of=${uids}`, known.uids === uids ? known.tag : "") || {};
    if (!tag) return;
    known = { uids, tag };
    hear(steps);
  }

  // What a match's page shows differs by viewer, so that its own question, with the viewer's session, says what is new.
  async function askNews() {
    const asked = place(), { news, mark, heard } = asked.dataset;
    const told = await get(`${news}?since=${encodeURIComponent(mark)}`, heard || mark);
    if (told && document.contains(asked) && asked.getAttribute("aria-busy") !== "true") await take(asked, told);
  }

  const said = (offer, words) => bar().dataset[offer].replace("{words}", () => words);

  async function take(asked, told) {
    asked.dataset.heard = told.mark;
    if (!told.words) bar()?.replaceChildren();
    else if (told.press) offer(link(said("readIt", told.words), told.press));
    else if ("soon" in asked.dataset && !dirty()) { if (!await show()) delete asked.dataset.heard; }
    else if (!told.progress || !("offer" in asked.dataset || dirty())) offer(button(said("showIt", told.words)));
  }

  // --- hearing

  const later = (one, other) => {
    const [[shown, seats = 0], [before, had = 0]] = [one, other].map((step) => step.split(".").map(Number));
    return shown > before || (shown === before && seats > had);
  };

  let spread = 0;

  function hear(steps) {
    const moved = here().filter(({ dataset }) => steps[dataset.live] && later(steps[dataset.live], dataset.at));
    const shown = (step) => Number(step.split(".")[0]);
    const risen = moved.filter(({ dataset }) => shown(steps[dataset.live]) > shown(dataset.at));
    for (const { dataset } of moved) dataset.at = steps[dataset.live];
    for (const { dataset } of risen) dataset.moved = "";
    if (!moved.length) return;
    clearTimeout(spread);
    if (place()) spread = setTimeout(() => { if (place()) ask(); }, "own" in place().dataset ? 0 : Math.random() * SPREAD);
    else if (risen.length) offerPage();  // that somebody has handed in moves no match
  }

  function offerPage() {
    const moved = [...new Set(all("[data-moved]").map(({ dataset }) => dataset.live))], count = moved.length;
    const lists = document.querySelector("[data-lists]")?.dataset.lists;  // of what, where it is not of matches that are played
    const words = lists === undefined ? "This match has moved on. Show it"
      : moved.some((name) => name.startsWith("tournament-")) ? "The tournament has moved on. Show it"
      : moved.every((name) => name === "open-seats") ? "New seats are open. Show them"
      : lists === "seats" ? "Something has changed: show it"
      : plural(count, { one: "One match has moved on. Show it", other: "{n} matches have moved on. Show them" });
    offer(dirty() ? link(words, location.href) : button(words));
  }

  // --- offering

  function offer(what) {
    if (bar()?.textContent !== what.textContent) bar()?.replaceChildren(what);
    if (document.hidden) document.title = `(1) ${title()}`;
  }

  const title = () => document.title.replace(/^\(1\) /, "");

  function button(words) {
    const made = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: words });
    made.addEventListener("click", async () => {
      if (await show()) window.scrollTo(0, 0);  // who asked for it begins at its top
      else made.textContent = UNREACHED;
    });
    return made;
  }

  // In a tab of its own: what is chosen here stays.
  const link = (words, href) =>
    Object.assign(document.createElement("a"), { className: "button quiet", href, target: "_blank", textContent: words });

  async function show() {
    const draft = kept();
    if (box()?.contains(document.activeElement) || document.activeElement.closest("#news")) keepFocus();
    const came = await fetchPart(box()?.dataset.page || location.href, "main");
    if (came) giveBack(draft);
    return came;
  }

  // --- what somebody chose and typed, and has not sealed

  function kept() {
    const forms = all(FORMS).filter((form) => all("input:not([type=hidden]), textarea, select", form).some(touched));
    if (!forms.length) return null;
    const entries = (form) => [...new FormData(form)].filter(([name]) => form.elements[name].type !== "hidden");  // not what it was made for
    const fields = forms.map((form) => [form.id, entries(form)]);
    const orders = fields.flatMap(([, named]) => named.map(([name, value]) => (name === "plan" && value ? `THEN\n${value}` : value)));
    return { phase: forms[0].elements.phase.value, name: box().dataset.phase, fields, text: orders.filter(Boolean).join("\n") };
  }

  function giveBack(draft) {
    if (!draft) return;
    const same = all(FORMS).some((form) => form.elements.phase?.value === draft.phase);
    if (same) for (const [id, entries] of draft.fields) fill(document.getElementById(id), entries);
    else remind(draft);
  }

  function fill(form, entries) {
    if (!form) return;
    const values = Object.fromEntries(entries);
    for (const field of all("input:not([type=hidden]), textarea, select", form)) {
      if (field.type === "radio") field.checked = values[field.name] === field.value;
      else if (field.name in values) field.value = values[field.name];
      if (touched(field)) for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    }
    form.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function remind({ name, text }) {
    if (!text || !box()) return;
    const note = Object.assign(document.createElement("div"), { className: "notice" });
    note.setAttribute("role", "alert");
    const words = Object.assign(document.createElement("p"), { textContent: `What you had chosen for ${name} was not handed in:` });
    note.append(words, Object.assign(document.createElement("pre"), { className: "typed", textContent: text }));
    box().prepend(note);
  }

  // --- going away and coming back: this tab keeps it, for this seat and this phase

  const drawer = () => box()?.dataset.page && `sealed ${box().dataset.page} ${box().dataset.seat}`;

  function putAway() {
    if (!drawer() || !document.querySelector(FORMS)) return;
    const draft = kept();
    if (draft) sessionStorage.setItem(drawer(), JSON.stringify(draft));
    else sessionStorage.removeItem(drawer());
  }

  // What a browser of its own accord puts back into a form may have been chosen for another phase.
  function takeOut() {
    for (const form of all(FORMS)) form.reset();
    const draft = drawer() && sessionStorage.getItem(drawer());
    if (!draft) return;
    sessionStorage.removeItem(drawer());
    giveBack(JSON.parse(draft));
  }

  function forget(event) {
    if (new URL(event.target.action).pathname !== "/sign-out") return;
    sessionStorage.clear();
    for (const name of Object.keys(localStorage)) if (name.startsWith("sealed draft ")) localStorage.removeItem(name);
  }

  // ---

  function watch() {
    if (document.getElementById("main") === watched) return;  // other parts of a page come and go
    watched = document.getElementById("main");
    pace = SOON;
    listen();
    schedule();
  }

  function wake() {
    if (document.hidden) return;
    document.title = title();
    ask();
    listen();
  }

  document.addEventListener("DOMContentLoaded", () => { takeOut(); watch(); });
  document.addEventListener("htmx:after:settle", watch);
  document.addEventListener("visibilitychange", () => { if (document.hidden) { hangUp(); schedule(); } else wake(); });
  document.addEventListener("submit", forget);
  window.addEventListener("online", wake);
  window.addEventListener("pagehide", () => { putAway(); hangUp(); });
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) wake(); });
})();
