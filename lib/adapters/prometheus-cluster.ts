import cluster from "node:cluster";
import { AggregatorRegistry, type Registry } from "prom-client";

/** From a process to its primary, which answers with the metrics of all processes. */
export interface MetricsRequest {
  readonly kind: "metrics";
}

interface MetricsReply {
  readonly kind: "metrics";
  readonly text: string | null;
}

/** Renders the metrics of this process, or of all processes of its cluster. */
export function createRenderer(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics();
  AggregatorRegistry.setRegistries(registry);
  // Answers the primary.
  new AggregatorRegistry();
  const waiting: ((reply: MetricsReply) => void)[] = [];
  process.on("message", (message: MetricsReply) => {
    if (message.kind !== "metrics") return;
    for (const resolve of waiting.splice(0)) resolve(message);
  });
  return async () => {
    const { text } = await new Promise<MetricsReply>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) process.send?.({ kind: "metrics" } satisfies MetricsRequest);
    });
    if (text === null) throw new Error("a process of this instance did not report its metrics");
    return text;
  };
}

/** The primary's side. */
export function createAggregator(): () => Promise<MetricsReply> {
  const aggregator = new AggregatorRegistry();
  return async () => ({ kind: "metrics", text: await aggregator.clusterMetrics().catch(() => null) });
}
