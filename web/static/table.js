// The table of a match: on a phone the orders owed lie in a sheet at the bottom of the window.
"use strict";

(() => {
  document.documentElement.classList.add("docks");
  const { all } = window.sealed;
  const phone = window.matchMedia("(max-width: 899px) and (min-height: 501px)");
  const dock = () => document.querySelector(".dock:has(> .dock-head)");
  const toggle = () => dock()?.querySelector(".dock-toggle");

  // The line that tells what was clicked goes with the sheet: under the board the sheet would hide it.
  function place() {
    const bar = document.querySelector(".board-bar"), frame = document.querySelector(".board-frame");
    const home = phone.matches && dock() ? dock().querySelector(".dock-head") : frame;
    if (bar && home && bar.parentElement !== home) home.append(bar);
  }

  function open(wanted) {
    const here = dock();
    if (!here) return;
    here.classList.toggle("open", wanted);
    here.closest(".table").classList.toggle("dock-open", wanted);
    toggle().setAttribute("aria-expanded", String(wanted));
    if (wanted && phone.matches) document.querySelector(".board-frame")?.scrollIntoView({ block: "start" });
  }

  // Whoever walks on with the keyboard to what lies behind the sheet sees it; a click there keeps the sheet.
  function uncover({ target }) {
    const here = dock();
    if (phone.matches && here?.classList.contains("open") && !here.contains(target) && target.matches(":focus-visible")) open(false);
  }

  // ---

  function settle() {
    place();
    const here = dock();
    if (here && !("seen" in here.dataset)) {
      here.dataset.seen = "";
      if ("open" in here.dataset) open(true);
    }
  }

  document.addEventListener("click", ({ target }) => {
    if (target.closest(".dock-toggle")) open(toggle().getAttribute("aria-expanded") !== "true");
    else if (phone.matches && target.closest("[hx-target='#trial']")) open(false);  // what would come of it is told above
    else if (phone.matches && target.closest("a[href$='#owed']")) open(true);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !phone.matches || !dock()?.classList.contains("open") || !dock().contains(document.activeElement)) return;
    open(false);
    toggle().focus();
  });
  document.addEventListener("focusin", uncover);
  phone.addEventListener("change", place);
  document.addEventListener("htmx:after:settle", settle);
  document.addEventListener("DOMContentLoaded", settle);
})();
