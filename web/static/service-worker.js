// Shows push messages. It keeps no page and answers no request.
"use strict";

self.addEventListener("push", (event) => {
  const { subject = "Something has changed.", address = "/" } = event.data ? event.data.json() : {};
  event.waitUntil(self.registration.showNotification("Sealed Orders", {
    body: subject, tag: address, data: address, icon: "/static/seal-192.png",
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data || "/", self.location.origin);
  if (address.origin !== self.location.origin) return;
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: "window" });
    const there = open.find(({ url }) => new URL(url).pathname === address.pathname);
    return there ? there.focus() : self.clients.openWindow(address.href);
  })());
});
