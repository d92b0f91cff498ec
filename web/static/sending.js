// What happens to a form on its way: it is sent once, it says so, and where it does not arrive it stays as it is.
"use strict";

(() => {
  const { all } = window.sealed;
  const LONGEST = 30000;  // milliseconds that a form which leads to another page counts as under way
  const OFFLINE = "You are offline, and nothing was sent yet. What you chose is still here, and goes out as soon as the connection is back; you may press again too.";
  const NOT_SENT = "You are offline, and nothing was sent. What you wrote is still here: press again when the connection is back.";
  const UNREACHED = "The site could not be reached. What you chose is still here: press again in a moment.";

  // --- busy: all forms of the owed box are one, for they seal the same orders

  const scope = (form) => form.closest("#owed") || form;
  let under = null;  // the form that was sent last, and the place that is busy with it
  const isBusy = (place) => place.getAttribute("aria-busy") === "true";

  function begin(form, button) {
    const place = scope(form);
    place.setAttribute("aria-busy", "true");
    under = { form, place };
    const line = Object.assign(document.createElement("span"), { className: "sending faint", textContent: "Sending …" });
    line.setAttribute("role", "status");
    (button && place.contains(button) ? button : form.querySelector("button:last-of-type") || form.lastElementChild).after(line);
  }

  function end(place) {
    place.removeAttribute("aria-busy");
    for (const line of all(".sending", place)) line.remove();
  }

  // A form that its own answer took the place of tells nobody that it has come back.
  function endReplaced() {
    if (under && !under.form.isConnected) end(under.place);
  }

  const endAll = () => { for (const place of all("[aria-busy=true]")) end(place); };

  // --- offline

  let unsent = null;  // the form and the button that go out when the connection is back

  function tell(form, words) {
    const place = scope(form);
    for (const old of all(".unreached, .fault", place)) old.remove();
    const note = Object.assign(document.createElement("p"), { className: "notice unreached", textContent: words });
    note.setAttribute("role", "alert");
    place.prepend(note);
    note.scrollIntoView({ block: "nearest" });
  }

  function sendLater() {
    const { form, button } = unsent || {};
    unsent = null;
    if (form?.isConnected && !isBusy(scope(form))) form.requestSubmit(button?.isConnected ? button : null);
  }

  // --- a form is sent: nobody else hears of the second press

  let sent = false;  // whoever sent a form with the keyboard goes on reading at its answer

  function send(event) {
    const form = event.target;
    if (form.method !== "post") return;
    const leaves = !form.hasAttribute("hx-post");
    if (isBusy(scope(form)) || (leaves && !navigator.onLine)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (!navigator.onLine) tell(form, NOT_SENT);
      return;
    }
    unsent = null;
    sent = true;
    for (const old of all(".unreached, .fault")) old.remove();
    begin(form, event.submitter);
    if (leaves) setTimeout(() => end(scope(form)), LONGEST);
  }

  function fail(event) {
    const source = event.detail?.ctx?.sourceElement, form = source?.closest?.("form");
    if (!form || !document.contains(form) || !form.closest("#owed")) return;
    const pressed = form.hasAttribute("hx-post") && source === form && form.id !== "sealed";
    tell(form, navigator.onLine ? UNREACHED : pressed ? OFFLINE : NOT_SENT);
    unsent = pressed && !navigator.onLine ? { form, button: event.detail.ctx.request?.submitter } : null;
  }

  function keepPlace() {
    const box = document.getElementById("owed");
    if (sent && box && document.activeElement === document.body) {
      box.tabIndex = -1;
      box.focus({ preventScroll: true });
    }
    sent = false;
  }

  // ---

  document.addEventListener("submit", send, true);
  document.addEventListener("htmx:error", fail);
  document.addEventListener("htmx:finally:request", ({ target }) => { if (target.closest?.("form")) end(scope(target.closest("form"))); });
  document.addEventListener("htmx:after:settle", () => { endReplaced(); keepPlace(); });
  document.addEventListener("input", () => { unsent = null; });  // whoever goes on choosing presses again
  window.addEventListener("online", sendLater);
  window.addEventListener("pageshow", ({ persisted }) => { if (persisted) endAll(); });
  Object.assign(window.sealed, { keepFocus: () => { sent = true; } });
})();
