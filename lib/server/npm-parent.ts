const CHECK_EVERY_MS = 250;

/**
 * Calls back when the shell through which `npm start` runs this process has ended. npm forwards a signal only to that
 * shell, so the server would otherwise keep running. A server started without npm may outlive its parent.
 */
export function onNpmEnded(callback: () => void): void {
  if (process.env.npm_lifecycle_event !== "start") return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    callback();
  }, CHECK_EVERY_MS);
  timer.unref();
}
