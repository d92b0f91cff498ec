// What makes the pages nicer where scripts run; without it everything works the same.
"use strict";

(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const language = document.documentElement.lang || undefined;
  const distance = new Intl.RelativeTimeFormat(language);
  const moment = new Intl.RelativeTimeFormat(language, { numeric: "auto" });  // says `now`

  // --- sentences: `{n}` and each name in braces are filled in; there is one for each plural form of the page's language

  const forms = new Intl.PluralRules(language), figures = new Intl.NumberFormat(language);
  const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const plural = (number, sentences, values = {}) =>
    fill(sentences[forms.select(number)] ?? sentences.other, { n: figures.format(number), ...values });

  // --- times: the same words as the server's

  function nearest(seconds) {
    if (seconds < 90) return [seconds, "second"];
    if (seconds < 7170) {
      const minutes = Math.floor((seconds + 30) / 60);
      return minutes === 60 ? [1, "hour"] : [minutes, "minute"];
    }
    if (seconds < 171000) return [Math.floor((seconds + 1800) / 3600), "hour"];
    return [Math.floor((seconds + 43200) / 86400), "day"];
  }

  function until(at) {
    const seconds = Math.round((at - Date.now()) / 1000);
    const [number, unit] = nearest(Math.abs(seconds));
    return seconds === 0 ? moment.format(0, "second") : distance.format(Math.sign(seconds) * number, unit);
  }

  function tick() {
    for (const element of all("[data-until]")) {
      const words = until(Date.parse(element.dataset.until));
      if (element.textContent !== words) element.textContent = words;
    }
  }

  // A visitor's own zone; a player's times come in the zone of the account.
  function localize() {
    if (!("times" in document.body.dataset) || zone === "UTC") return;
    const city = zone.split("/").pop().replaceAll("_", " ");
    const year = new Date().getFullYear();
    const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", timeZone: zone });
    for (const element of all("time[datetime]:not([data-told])")) {
      const at = new Date(element.dateTime);
      const shown = { weekday: "short", day: "numeric", month: "short", ...(at.getFullYear() === year ? {} : { year: "numeric" }), timeZone: zone };
      const day = new Intl.DateTimeFormat(language, shown).format(at);
      element.dataset.told = element.title = element.textContent;
      element.textContent = `${language?.startsWith("en") ? day.replaceAll(",", "") : day} ${clock.format(at)} (${city})`;
    }
    for (const name of all("[data-zone-name]")) name.textContent = zone;
  }

  // Of filters in one row to swipe, the chosen one is seen.
  for (const chosen of all("nav.picks [aria-current]")) chosen.parentElement.scrollLeft = chosen.offsetLeft - 60;

  // --- letters of the mailbox: a frame is as high as its letter

  function fit(frame) {
    const page = frame.contentDocument?.documentElement;
    if (page?.scrollHeight) frame.style.height = `${page.scrollHeight + 2}px`;
  }

  for (const frame of all(".mail-frame")) frame.addEventListener("load", () => fit(frame));

  // --- forms

  const changed = {
    radio: (field) => field.checked !== field.defaultChecked,
    checkbox: (field) => field.checked !== field.defaultChecked,
    "select-one": (field) => field.selectedIndex !== Math.max(0, all("option", field).findLastIndex((option) => option.defaultSelected)),
  };
  const touched = (field) => (changed[field.type] || (() => field.value !== field.defaultValue))(field);

  // Whether somebody is in the middle of something: typed, clicked, or on the way from a piece to its square.
  const dirty = () => Boolean(document.querySelector("[data-picking]"))
    || all("form input:not([type=hidden]), form textarea, form select").some(touched);

  function fillZones(root) {
    for (const field of all("[data-zone]", root)) field.value = zone;
    for (const button of all("[data-fill-zone]", root)) {
      button.hidden = false;
      button.addEventListener("click", () => { document.getElementById("zone").value = zone; });
    }
  }

  // --- a part of another page in the place of the same part here

  // Returns whether it came.
  async function fetchPart(address, part) {
    const old = document.querySelector(part);
    try {
      await htmx.ajax("GET", address, { target: part, select: part, swap: "outerHTML" });
    } catch { /* what is here stays, and the next try may reach the site */ }
    return !document.contains(old);
  }

  // A page that comes instead of the one asked for, such as one that says the site is busy, is not shown.
  document.addEventListener("htmx:before:response", (event) => {
    const { request, response, select } = event.detail.ctx;
    if (request.method === "GET" && ["main", "#phase"].includes(select) && response.status >= 400) event.preventDefault();
  });

  // --- what a swap has changed, for those who hear the page: one sentence, which the new part brings along

  const heard = new WeakSet();

  function say(words) {
    const line = document.getElementById("said");
    if (line && line.textContent !== words) line.textContent = words;
  }

  // What a page begins with is read anyway, but for the outcome of one's own deed.
  function announce(swapped) {
    for (const element of all("[data-say]")) {
      if (!heard.has(element) && (swapped || "loud" in element.dataset)) say(element.dataset.say);
      heard.add(element);
    }
  }

  function settle() {
    fillZones(document);
    tick();
    localize();
    for (const frame of all(".mail-frame")) fit(frame);
  }

  window.sealed = { all, dirty, touched, fetchPart, fill, plural, say };  // for the other scripts
  document.addEventListener("htmx:after:settle", () => { settle(); announce(true); });
  document.addEventListener("DOMContentLoaded", () => { settle(); announce(false); });
  document.addEventListener("submit", () => say(""));  // the same outcome is said again
  document.addEventListener("visibilitychange", () => { if (!document.hidden) tick(); });
  setInterval(() => { if (!document.hidden) tick(); }, 1000);
})();
