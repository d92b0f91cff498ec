// What makes the pages nicer where scripts run; without it everything works the same.
"use strict";

(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const count = (number, unit) => `${number} ${unit}${number === 1 ? "" : "s"}`;

  // --- times: the same words as the server's

  function nearest(seconds) {
    if (seconds < 90) return count(seconds, "second");
    if (seconds < 7170) {
      const minutes = Math.floor((seconds + 30) / 60);
      return minutes === 60 ? "1 hour" : count(minutes, "minute");
    }
    if (seconds < 171000) return count(Math.floor((seconds + 1800) / 3600), "hour");
    return count(Math.floor((seconds + 43200) / 86400), "day");
  }

  function until(at) {
    const seconds = Math.round((at - Date.now()) / 1000);
    if (seconds === 0) return "now";
    return seconds > 0 ? `in ${nearest(seconds)}` : `${nearest(-seconds)} ago`;
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
    for (const element of all("time[datetime]:not([data-told])")) {
      const at = new Date(element.dateTime);
      const words = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone });
      const part = Object.fromEntries(words.formatToParts(at).map(({ type, value }) => [type, value]));
      element.dataset.told = element.title = element.textContent;
      element.textContent = `${part.weekday} ${part.day} ${part.month.slice(0, 3)}${Number(part.year) === year ? "" : ` ${part.year}`} ${part.hour}:${part.minute} (${city})`;
    }
    for (const name of all("[data-zone-name]")) name.textContent = zone;
  }

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

  // --- walking through the history

  let playing = 0;

  // What stands in the phase comes anew; the focus goes to what took the place of what had it.
  const CONTROLS = ["[data-play]", "[data-slider]", "a[rel=next]", "a[rel=prev]"];
  const held = () => CONTROLS.find((each) => document.activeElement?.matches(`#phase ${each}`));

  async function walk(address) {
    const had = held();
    await htmx.ajax("GET", address, { target: "#phase", select: "#phase", swap: "outerHTML" });
    const phase = document.getElementById("phase");
    if (phase) history.replaceState(null, "", address.replace(/\/phases.*/, `/phases/${phase.dataset.phase}`));
    if (had && document.activeElement === document.body) (document.querySelector(`#phase ${had}`) || document.querySelector("#phase [data-play]"))?.focus();
  }

  async function step() {
    const next = document.querySelector("#phase a[rel=next]");
    if (next) await walk(next.href);
    if (!document.querySelector("#phase a[rel=next]")) stop();
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    for (const button of all("[data-play]")) button.textContent = "Play";
  }

  function start() {
    if (!document.querySelector("#phase a[rel=next]")) walk(document.querySelector("[data-slider]").dataset.slider + "?number=" + document.querySelector("[data-slider]").min);
    playing = setInterval(step, 2500);
    for (const button of all("[data-play]")) button.textContent = "Stop";
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-play]")) playing ? stop() : start();
  });
  document.addEventListener("input", ({ target }) => {
    if (!target.matches("[data-slider]")) return;
    const name = JSON.parse(target.dataset.names)[target.value - target.min] || target.value;
    target.setAttribute("aria-valuetext", name);
    for (const output of all("[data-slider-name]")) output.textContent = name;
  });
  document.addEventListener("change", (event) => {
    const slider = event.target.closest("[data-slider]");
    if (slider) { stop(); walk(`${slider.dataset.slider}?number=${slider.value}`); }
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest("input, textarea, select, button")) return;
    const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    const link = rel && document.querySelector(`#phase a[rel=${rel}]`);
    if (link) { event.preventDefault(); stop(); walk(link.href); }
  });

  function settle() {
    fillZones(document);
    for (const button of all("[data-go]")) button.hidden = true;
    for (const button of all("[data-play]")) { button.hidden = false; button.textContent = playing ? "Stop" : "Play"; }
    tick();
    localize();
    for (const frame of all(".mail-frame")) fit(frame);
  }

  window.sealed = { all, dirty, touched };  // for the other scripts
  document.addEventListener("htmx:after:settle", settle);
  document.addEventListener("DOMContentLoaded", settle);
  setInterval(tick, 1000);
})();
