// The service worker: shows the messages that the farm sends to this browser while no page is open. A message replaces that of its tag.
const worker = /** @type {any} */ (self);

worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, text, link, tag } = event.data.json();
  event.waitUntil(worker.registration.showNotification(title, { body: text, tag, data: { link } }));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(worker.clients.openWindow(event.notification.data.link ?? "/console"));
});
