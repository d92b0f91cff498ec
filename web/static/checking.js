// The button that checks a match's seals; what checks them is loaded once it is pressed.
"use strict";

(() => {
  const { all } = window.sealed;

  function settle() {
    for (const box of all("[data-seals]")) box.hidden = false;
  }

  document.addEventListener("click", async ({ target }) => {
    const button = target.closest("[data-check]"), box = button?.closest("[data-seals]");
    if (!box || box.ariaBusy === "true") return;
    box.ariaBusy = "true";
    try {
      await (await import(box.dataset.seals)).run(box);
    } catch (error) {
      console.warn(error);
      box.querySelector("[role=status]").textContent = button.dataset.failed;
    }
    box.ariaBusy = "false";
  });
  document.addEventListener("htmx:after:settle", settle);
  document.addEventListener("DOMContentLoaded", settle);
})();
