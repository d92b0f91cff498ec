// A page of a match learns that it is out of date. One that waits goes on by itself; where somebody is at work it only offers to.
"use strict";

(() => {
  const { all, dirty, touched, keepFocus } = window.sealed;
  const SLOWEST = 30000, PATIENCE = 20000;  // milliseconds
  const FORMS = "#choices, #written, #ahead";
  const place = () => document.querySelector("[data-news]");
  const box = () => document.getElementById("owed");

  // --- asking: one small request, answered with nothing while there is no news

  let wait = 0, timer = 0, watched = null;

  function watch(again) {
    clearTimeout(timer);
    const here = watched = place();
    if (!here) return;
    const first = Number(here.dataset.first);
    wait = again && !("offer" in here.dataset) ? Math.min(wait * 1.25, SLOWEST) : first;
    timer = setTimeout(ask, wait);
  }

  async function latest(here) {
    const { news, mark, heard } = here.dataset;
    const settings = { headers: { "If-None-Match": `"${heard || mark}"` }, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) };
    try {
      const answer = await fetch(`${news}?since=${encodeURIComponent(mark)}`, settings);
      return answer.status === 200 ? await answer.json() : null;
    } catch {
      return null;  // the next try may reach the site
    }
  }

  async function ask() {
    clearTimeout(timer);
    const here = place();
    if (!here || document.hidden) return;
    const told = await latest(here);
    if (told && document.contains(here) && here.getAttribute("aria-busy") !== "true") await hear(here, told);
    if (document.contains(here)) watch(true);
  }

  async function hear(here, told) {
    here.dataset.heard = told.mark;
    if (!told.words) document.getElementById("news")?.replaceChildren();
    else if (told.press) offer(link(told));
    else if (!("offer" in here.dataset || dirty())) await show();
    else if (!told.progress) offer(button(told));  // who is at work is not disturbed by what others have handed in
  }

  // --- offering

  function offer(what) {
    document.getElementById("news")?.replaceChildren(what);
  }

  function button({ words }) {
    const made = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: `${words}: show it` });
    made.addEventListener("click", async () => { await show(); window.scrollTo(0, 0); });  // who asked for it begins at its top
    return made;
  }

  // In a tab of its own: what is chosen here stays.
  const link = ({ words, press }) =>
    Object.assign(document.createElement("a"), { className: "button quiet", href: press, target: "_blank", textContent: `${words}: read it` });

  async function show() {
    const here = box(), draft = kept();
    if (here.contains(document.activeElement) || document.activeElement.closest("#news")) keepFocus();
    try {
      await htmx.ajax("GET", here.dataset.page, { target: "main", select: "main", swap: "outerHTML" });
    } catch { /* what is here stays, and the next try may reach the site */ }
    if (!document.contains(here)) giveBack(draft);
  }

  // --- what somebody chose and typed, and has not sealed

  function kept() {
    const forms = all(FORMS).filter((form) => all("input:not([type=hidden]), textarea, select", form).some(touched));
    if (!forms.length) return null;
    const entries = (form) => [...new FormData(form)].filter(([name]) => name !== "csrf_token" && name !== "phase");
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

  const drawer = () => box() && `sealed ${box().dataset.page} ${box().dataset.seat}`;

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
    if (new URL(event.target.action).pathname === "/sign-out") sessionStorage.clear();
  }

  // ---

  document.addEventListener("DOMContentLoaded", () => { takeOut(); watch(false); });
  document.addEventListener("htmx:after:settle", () => { if (place() !== watched) watch(false); });  // other parts of a page come and go
  document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
  document.addEventListener("submit", forget);
  window.addEventListener("online", ask);
  window.addEventListener("pagehide", putAway);
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) ask(); });
})();
