/** Where pages are served over https or from this machine, browsers keep the worker that answers without a connection. */
export function registerOfflineWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  window.addEventListener("load", () => {
    // Without it, the browser shows its own page.
    navigator.serviceWorker.register("/offline-worker.js", { updateViaCache: "none" }).catch(() => {});
  });
}
