// The press of a match: what was read, drafts that stay in this browser, and the keyboard. Without it everything works the same.
"use strict";

(() => {
  const { all } = window.sealed;
  const talk = () => document.querySelector(".talk");

  // --- what was read: a conversation that somebody looks at is read up to its newest text

  let told = false;

  async function markRead() {
    const form = document.querySelector("[data-read]");
    if (!form || told || document.hidden) return;
    told = true;
    const fields = new FormData(form);
    fields.set("quiet", "1");
    try {
      const answer = await fetch(form.action, { method: "POST", body: fields });
      if (answer.status === 204) showRead(form);
    } catch { /* the button is still there */ }
  }

  function showRead(form) {
    const here = document.querySelector(".talk-list [aria-current] .unread-count");
    const number = Number(here?.textContent);
    form.hidden = true;
    here?.remove();
    for (const total of all(".talk-list p .unread-count, [data-unread]")) lessen(total, number);
  }

  function lessen(total, number) {
    const left = Number(total.textContent) - number;
    if (left > 0) total.setAttribute("aria-label", total.dataset.says.replace("{n}", (total.textContent = left)));
    else if (left <= 0) total.remove();
  }

  // --- drafts: kept in this browser for one viewer and one match until they are sent, and never sent along with anything else

  const FIRST = "sealed draft ";
  const drawer = (form) => `${FIRST}${talk().dataset.drawer} ${form.dataset.draft}`;
  const forms = () => (talk()?.dataset.drawer ? all("form[data-draft]") : []);
  const field = (form) => form.elements.text;

  function store(name, draft) {
    try {
      if (draft) localStorage.setItem(name, JSON.stringify(draft));
      else localStorage.removeItem(name);
    } catch { /* a browser that keeps nothing */ }
  }

  function stored(name) {
    try {
      return JSON.parse(localStorage.getItem(name));
    } catch {
      return null;
    }
  }

  const chosen = (form) => all("input[type=checkbox]:checked", form).map((box) => box.value);

  function keep(form, sent) {
    const text = field(form).value;
    store(drawer(form), text.trim() ? { text, to: chosen(form), sent } : null);
    const line = form.querySelector("[data-kept]");
    if (line && !sent) line.textContent = text.trim() ? "Kept in this browser." : "";
  }

  function drafts() {
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(`${FIRST}${talk().dataset.drawer} `));
      return names.map((name) => [name, stored(name)]).filter(([, draft]) => draft);
    } catch {
      return [];
    }
  }

  // Only the last text that was sent may be told as sent: one that was refused before it is a draft again.
  function send(form) {
    for (const [name, draft] of drafts()) if (draft.sent) store(name, { ...draft, sent: false, tried: true });
    keep(form, true);
  }

  // A text that was sent is no draft any more, nor is what was refused of it before under another form. What somebody typed for
  // another conversation is one, also in the same words.
  function forgetSent() {
    if (!document.querySelector("[data-sent]")) return;
    const kept = drafts(), texts = kept.filter(([, draft]) => draft.sent).map(([, draft]) => draft.text);
    for (const [name, draft] of kept) if (draft.sent || (draft.tried && texts.includes(draft.text))) store(name, null);
  }

  // A page that was refused holds the text itself.
  function giveBack(form) {
    const draft = stored(drawer(form));
    if (draft && !field(form).value) {
      field(form).value = draft.text;
      for (const box of all("input[type=checkbox]", form)) box.checked ||= draft.to.includes(box.value);
      form.querySelector("[data-kept]").textContent = "A draft that this browser kept.";
      const fold = form.closest("details");
      if (fold) fold.open = true;
    }
  }

  // --- the keyboard: arrows in the list, Ctrl+Enter sends, Escape goes back to the list

  function move(event) {
    const links = all(".talk-list .talk-link"), at = links.indexOf(document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
    if (at < 0 || next === undefined || !links[next]) return;
    event.preventDefault();
    links[next].focus();
  }

  function press(event) {
    if (event.altKey || event.shiftKey) return;
    const form = event.target.closest?.("form[data-draft]");
    if (form && event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit(form.querySelector("button"));
    else if (form && event.key === "Escape") (document.querySelector(".talk-list [aria-current]") || document.querySelector(".talk-link"))?.focus();
    else if (!event.ctrlKey && !event.metaKey) move(event);
  }

  function settle() {
    if (!talk()) return;
    if (talk().dataset.drawer) forgetSent();
    for (const form of forms()) giveBack(form);
    const texts = document.querySelector(".talk-texts");
    if (texts && !document.querySelector(".talk :target:not(#newest)")) texts.scrollTop = texts.scrollHeight;
    markRead();
  }

  document.addEventListener("DOMContentLoaded", settle);
  document.addEventListener("htmx:after:settle", ({ target }) => { if (target.id === "main" || target.matches?.("body, html") || target.querySelector?.(".talk")) { told = false; settle(); } });
  document.addEventListener("visibilitychange", markRead);
  document.addEventListener("keydown", press);
  document.addEventListener("input", ({ target }) => { const form = target.closest("form[data-draft]"); if (form && forms().includes(form)) keep(form, false); });
  document.addEventListener("submit", ({ target }) => { if (forms().includes(target)) send(target); }, true);
})();
