import { createPrimaryCounts } from "#lib/adapters/limiter-primary.ts";
import { createAggregator, type MetricsMessage } from "#lib/adapters/prometheus-cluster.ts";
import type { CountRequest } from "#lib/ports/limiter.ts";
import { closeRuntime } from "#lib/runtime.ts";
import { type BootOptions, boot } from "#lib/server/boot.ts";
import { supervise } from "#lib/server/supervise.ts";

/**
 * Starts `WEB_CONCURRENCY` processes that answer requests on one port, and one that runs the worker. This process keeps
 * the embedded database and the counts of requests.
 * @returns replaces the others one by one
 */
export async function serveCluster(
  options: BootOptions & { readonly concurrency: number },
): Promise<() => Promise<void>> {
  const { env, log, addCleanup, concurrency, signal } = options;
  const { url, port, publishUrl } = await boot(options);
  // Seeding the demonstration opens it.
  await closeRuntime();
  // For the processes, of which each is one.
  Object.assign(process.env, { PORT: String(port), WEB_CONCURRENCY: "" });
  signal.throwIfAborted();
  const count = createPrimaryCounts();
  const aggregate = createAggregator();
  const answer = (message: CountRequest | MetricsMessage) =>
    message.kind === "count" ? count(message) : aggregate(message);
  const supervisor = await supervise({
    processes: [
      ...Array.from({ length: concurrency }, () => ({ WORKER: "off" })),
      ...(env.WORKER === "on" ? [{ WORKER: "only" }] : []),
    ],
    answer: (message) => answer(message as CountRequest | MetricsMessage),
    log,
  });
  addCleanup(() => supervisor.stop());
  publishUrl();
  log(`License Desk answers at ${url}`);
  return supervisor.reload;
}
