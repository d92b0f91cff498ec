// The form for a match in three steps, with a summary that follows it. Without a script it is one form, all steps below each other.
"use strict";

(() => {
  const form = document.getElementById("making");
  if (!form) return;
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const steps = all(".step", form), tabs = all(".step-to", form), moves = form.querySelector(".step-moves");
  const [back, next] = [moves.querySelector("[data-back]"), moves.querySelector("[data-next]")];
  let at = 0;

  // --- steps

  function show(number, focus = true) {
    at = number;
    steps.forEach((step, place) => { step.hidden = place !== at; });
    tabs.forEach((tab, place) => place === at ? tab.setAttribute("aria-current", "step") : tab.removeAttribute("aria-current"));
    back.hidden = at === 0;
    next.hidden = at === steps.length - 1;
    if (focus) steps[at].querySelector("h2").focus();
  }

  const wrong = (step) => all("input, select, textarea", step).find((field) => !field.checkValidity());

  function advance() {
    const field = wrong(steps[at]);
    if (field) field.reportValidity();
    else show(at + 1);
  }

  // A field that has to be seen: its step is shown, its group opened.
  function reveal(field) {
    const step = steps.findIndex((each) => each.contains(field));
    if (step < 0) return;
    if (step !== at) show(step, false);
    for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  }

  // --- the summary, and the options that apply to so many players

  const fieldOf = (name) => form.elements[name];

  function told(place) {
    const instead = place.dataset.instead && fieldOf(place.dataset.instead)?.value.trim();
    const field = fieldOf(place.dataset.sum);
    if (instead) return instead;
    if (field.type === "checkbox") return field.checked ? place.dataset.yes : place.dataset.no;
    return field.value;
  }

  function summarize() {
    for (const place of all("[data-sum]")) {
      const words = told(place);
      if (place.textContent !== words) place.textContent = words;
    }
    const players = fieldOf("players")?.value;
    for (const option of all("[data-only-for]", form)) {
      option.hidden = Boolean(players) && !option.dataset.onlyFor.split(" ").includes(players);
      if (option.hidden) for (const field of all("input", option)) field.checked = field.defaultChecked;
    }
  }

  // ---

  for (const place of all("[hidden]:is(.steps-list, .step-moves, .summary dl)")) place.hidden = false;
  tabs.forEach((tab, place) => tab.addEventListener("click", () => show(place)));
  back.addEventListener("click", () => show(at - 1));
  next.addEventListener("click", advance);
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches("input, select") || at === steps.length - 1) return;
    event.preventDefault();
    advance();
  });
  form.addEventListener("invalid", (event) => reveal(event.target), true);
  form.addEventListener("input", summarize);
  for (const link of all("#errors a[href^='#']")) {
    link.addEventListener("click", (event) => {
      const field = document.getElementById(link.hash.slice(1));
      if (!field) return;
      event.preventDefault();
      reveal(field);
      field.focus();
    });
  }
  const faulty = form.querySelector("[aria-invalid], .error")?.closest(".step");
  show(faulty ? steps.indexOf(faulty) : Number(form.dataset.at), false);
  summarize();
  form.querySelector(":target")?.scrollIntoView({ block: "center" });  // what was asked for, once its step is shown
})();
