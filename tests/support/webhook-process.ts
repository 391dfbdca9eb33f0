/**
 * The worker's webhook delivery in its own process, which tests can kill at a named statement
 * (tests/faults/crash-at.ts).
 */
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { startWebhookWorker } from "#lib/webhook-worker.ts";

const runtime = getRuntime();
const ctx = runtime.contextFor({ kind: "system", name: "worker" }, { requestId: "worker" });
const worker = startWebhookWorker(ctx, runtime.webhookSender, {
  logError: (error) => process.stderr.write(`${error}\n`),
  pollEveryMs: 50,
});
// The worker's timers do not keep a process alive.
const alive = setInterval(() => undefined, 1_000);

process.once("SIGTERM", async () => {
  await worker.stop(1_000);
  await closeRuntime();
  clearInterval(alive);
});
