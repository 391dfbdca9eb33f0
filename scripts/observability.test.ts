import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MetricObjectWithValues, MetricValue } from "prom-client";
import { expect, test } from "vitest";
import { createMetrics } from "#lib/adapters/prometheus.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

const metrics = createMetrics({ readFigures: async () => null, readClockOffsetMs: () => 0 });
metrics.watchDroppedLines(() => 0);
type Metric = MetricObjectWithValues<MetricValue<string>>;
const exported = (await metrics.registry.getMetricsAsJSON()) as Metric[];

/** Labels as the registry declares them; the values may be absent. */
function labelsOf({ name }: Metric): readonly string[] {
  const metric: unknown = metrics.registry.getSingleMetric(name);
  return Reflect.get(Object(metric), "labelNames") as string[];
}

test("the table of docs/observability.md has every metric of the server, and nothing else", () => {
  const rows = exported
    .filter(({ name }) => name.startsWith("license_desk_"))
    .map((metric) => {
      const { name, type, help } = metric;
      const labels = labelsOf(metric).map((label) => `\`${label}\``);
      return `| \`${name}\` | ${type} | ${labels.join(", ")} | ${help} |`;
    });
  expect(rows.length).toBeGreaterThan(20);
  const documented = read("docs/observability.md").match(/^\| `license_desk_.*$/gm) ?? [];
  expect(documented.toSorted()).toEqual(rows.toSorted());
});
