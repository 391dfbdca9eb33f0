const CHECK_EVERY_MS = 250;

/**
 * Calls back when the shell through which `npm start` runs this process has ended. npm hands a signal on to that shell
 * alone, which ends without a word, and the server would live on with nobody to stop it. A server that was started
 * without npm may outlive its parent.
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
