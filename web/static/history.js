// Walking through the history of a match, by keys, slider and *Play*.
"use strict";

(() => {
  const { all, fetchPart } = window.sealed;
  const UNREACHED = "The site could not be reached, so this phase is still shown. Try again in a moment.";
  const PACE = 2500;  // milliseconds for which each phase is shown while the history plays
  let playing = null;  // stands for one run of *Play*
  let wanted = null;  // the number that the last press leads to, while its phase is on the way
  let under = false;  // whether a phase is on the way

  // What stands in the phase comes anew; the focus goes to what took the place of what had it.
  const CONTROLS = ["[data-play]", "[data-slider]", "a[rel=next]", "a[rel=prev]"];
  const held = () => CONTROLS.find((each) => document.activeElement?.matches(`#phase ${each}`));

  const phase = () => document.getElementById("phase");
  const shown = () => Number(phase().dataset.phase), first = () => Number(phase().dataset.first), last = () => Number(phase().dataset.last);
  const from = () => wanted ?? shown();
  const KEYS = { ArrowLeft: () => from() - 1, ArrowRight: () => from() + 1, Home: () => first(), End: () => last() };

  // The slider and the words beside it lead: they name the phase that is on the way.
  function name(number) {
    const slider = document.querySelector("#phase [data-slider]");
    if (!slider) return;
    slider.value = number;
    const words = JSON.parse(slider.dataset.names)[slider.value - slider.min] || slider.value;
    slider.setAttribute("aria-valuetext", words);
    for (const output of all("[data-slider-name]")) output.textContent = words;
  }

  // Returns whether the phase came.
  async function fetchPhase(number) {
    const had = held(), address = location.pathname.replace(/\/phases.*/, `/phases/${number}`);
    if (!await fetchPart(address, "#phase")) return false;
    history.replaceState(null, "", address);
    if (had && document.activeElement === document.body) (document.querySelector(`#phase ${had}`) || document.querySelector("#phase [data-play]"))?.focus();
    return true;
  }

  // Pressed again while a phase is on the way, leads to the one that was pressed last.
  async function walk(number) {
    if (!(number >= first() && number <= last()) || number === from()) return;
    wanted = number;
    name(number);
    if (under) return;
    under = true;
    while (wanted !== null) {
      const asked = wanted;
      if (!await fetchPhase(asked)) fail();
      else if (wanted === asked) wanted = null;
      else name(wanted);
    }
    under = false;
  }

  function fail() {
    stop();
    wanted = null;
    name(shown());
    for (const old of all(".unreached", phase())) old.remove();
    const note = Object.assign(document.createElement("p"), { className: "notice unreached", textContent: UNREACHED });
    note.setAttribute("role", "alert");
    phase().prepend(note);
  }

  function label() {
    for (const button of all("[data-play]")) button.textContent = playing ? "Stop" : "Play";
  }

  function stop() {
    playing = null;
    label();
  }

  async function play() {
    const run = playing = {};
    label();
    if (shown() >= last()) await walk(first());
    while (playing === run) {
      await new Promise((done) => { setTimeout(done, PACE); });
      if (playing === run) await walk(shown() + 1);
      if (playing === run && shown() >= last()) stop();
    }
  }

  document.addEventListener("visibilitychange", () => { if (document.hidden && playing) stop(); });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-play]")) playing ? stop() : play();
  });
  document.addEventListener("input", ({ target }) => { if (target.matches("[data-slider]")) name(target.value); });
  document.addEventListener("change", ({ target }) => {
    if (!target.matches("[data-slider]")) return;
    stop();
    walk(Number(target.value));
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest("input, textarea, select, [role=region]")) return;
    if (!(event.key in KEYS)) return;
    const number = KEYS[event.key]();
    if (!(number >= first() && number <= last())) return;
    event.preventDefault();
    stop();
    walk(number);
  });

  function settle() {
    for (const button of all("[data-go]")) button.hidden = true;
    for (const button of all("[data-play]")) button.hidden = false;
    label();
  }

  document.addEventListener("htmx:after:settle", settle);
  document.addEventListener("DOMContentLoaded", settle);
})();
