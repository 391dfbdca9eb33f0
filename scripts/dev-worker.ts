/** The background worker of `npm run dev`, in a process that restarts with its sources. */
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { startWorker } from "#lib/worker.ts";

const runtime = getRuntime();
await runtime.processLease.ready();
if (!runtime.safeMode) {
  const worker = startWorker(runtime, { databaseUrl: String(process.env.DATABASE_URL) });
  process.once("SIGTERM", async () => {
    await worker.stop();
    await closeRuntime();
    process.exit(0);
  });
}
