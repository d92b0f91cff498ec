// The account page: push messages on this browser, asked for by a button, and given up when its player signs out.
"use strict";

(() => {
  const box = document.getElementById("push");
  if (!box) return;
  const can = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  const [on, off, none] = ["on", "off", "none"].map((name) => box.querySelector(`[data-push=${name}]`));
  const said = box.querySelector("[role=status]");
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

  const current = async () => (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();
  const same = (one, other) => one && text(one) === other;

  async function show() {
    const found = can && Notification.permission !== "denied" ? await current() : null;
    const known = found && same(found.options.applicationServerKey, box.dataset.key);
    none.hidden = can && Notification.permission !== "denied";
    on.hidden = !none.hidden || Boolean(known);
    off.hidden = !known;
  }

  async function send(path, fields) {
    const answer = await fetch(path, { method: "POST", body: new URLSearchParams({ csrf_token: box.dataset.token, ...fields }) });
    if (!answer.ok) throw new Error(answer.status);
  }

  async function turnOn() {
    if (await Notification.requestPermission() !== "granted") return;
    await navigator.serviceWorker.register("/service-worker.js", { scope: "/" });
    const { pushManager } = await navigator.serviceWorker.ready;
    await (await pushManager.getSubscription())?.unsubscribe();  // made for another key
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(box.dataset.key) });
    await send("/account/push", { address: made.endpoint, public: text(made.getKey("p256dh")), secret: text(made.getKey("auth")) });
  }

  async function turnOff() {
    const found = await current();
    if (!found) return;
    await found.unsubscribe();
    await send("/account/push/off", { address: found.endpoint }).catch(() => {});  // a message that nobody takes ends it too
  }

  async function act(work, button) {
    button.disabled = true;
    said.textContent = "";
    try {
      await work();
    } catch {
      said.textContent = "That did not work: this browser or the site could not be reached. Nothing was changed.";
    }
    button.disabled = false;
    await show();
  }

  on.addEventListener("click", () => act(turnOn, on));
  off.addEventListener("click", () => act(turnOff, off));
  document.querySelector("form[action$='/sign-out']")?.addEventListener("submit", async (event) => {
    if (off.hidden) return;
    event.preventDefault();
    await act(turnOff, off);
    event.target.submit();
  });
  show();
})();
