import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from "prom-client";

type Report = MetricObjectWithValues<MetricValue<string>>[];

/** From a process to its primary: a scrape, and its answer to the primary's question. */
export type MetricsMessage =
  | { readonly kind: "scrape" }
  | { readonly kind: "report"; readonly scrape: number; readonly metrics: Report };

/** From the primary to a process: a question, and the answer to a scrape. */
type PrimaryMessage =
  | { readonly kind: "report"; readonly scrape: number }
  | { readonly kind: "scraped"; readonly text: string | null };

/** A process that starts or hangs is left out. */
const REPORT_WITHIN_MS = 1_000;

/** Renders the metrics of this process, or of all processes of its cluster. */
export function createRenderer(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics();
  const send = (message: MetricsMessage) => void process.send?.(message);
  const waiting: ((text: string | null) => void)[] = [];
  process.on("message", async (message: PrimaryMessage) => {
    if (message.kind === "report") {
      send({ kind: "report", scrape: message.scrape, metrics: (await registry.getMetricsAsJSON()) as Report });
    } else if (message.kind === "scraped") {
      for (const resolve of waiting.splice(0)) resolve(message.text);
    }
  });
  return async () => {
    const text = await new Promise<string | null>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) send({ kind: "scrape" });
    });
    if (text === null) throw new Error("the metrics of this instance's processes cannot be summed");
    return text;
  };
}

/** The primary's side: answers scrapes with the sum of what its processes report. */
export function createAggregator(): (message: MetricsMessage) => Promise<PrimaryMessage> | null {
  const scrapes = new Map<
    number,
    { readonly reports: Report[]; readonly expected: number; readonly all: () => void }
  >();
  let count = 0;

  async function scrape(): Promise<PrimaryMessage> {
    count += 1;
    const id = count;
    const asked = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
    const { promise, resolve } = Promise.withResolvers<void>();
    const reports: Report[] = [];
    scrapes.set(id, { reports, expected: asked.length, all: resolve });
    for (const worker of asked) worker?.send({ kind: "report", scrape: id } satisfies PrimaryMessage);
    const given = new AbortController();
    await Promise.race([promise, sleep(REPORT_WITHIN_MS, undefined, { signal: given.signal })]);
    given.abort();
    scrapes.delete(id);
    return { kind: "scraped", text: await sum(reports).catch(() => null) };
  }

  return (message) => {
    if (message.kind === "scrape") return scrape();
    const { reports, expected, all } = scrapes.get(message.scrape) ?? {};
    reports?.push(message.metrics);
    if (reports?.length === expected) all?.();
    return null;
  };
}

/** @throws Error if versions with different metrics run side by side, as in a reload */
async function sum(reports: Report[]): Promise<string> {
  return AggregatorRegistry.aggregate(reports).metrics();
}
