import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MetricObjectWithValues, MetricValue } from "prom-client";
import { describe, expect, test } from "vitest";
import { createMetrics } from "#lib/adapters/prometheus.ts";
import { scheduledJobTexts } from "#lib/domain/scheduled-jobs.ts";
import { findOrInstallCommand } from "./shells.ts";

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

test("the table of docs/observability.md has every scheduled job, and nothing else", () => {
  const [, section = ""] = read("docs/observability.md").split("## Scheduled jobs\n");
  const documented = section.split("\n## ")[0]?.match(/^\| `.*$/gm) ?? [];
  const texts = Object.entries(scheduledJobTexts);
  expect(documented).toEqual(texts.map(([name, { title, meaning }]) => `| \`${name}\` | ${title} | ${meaning} |`));
});

const dashboard = JSON.parse(read("ops/grafana/license-desk.json")) as {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
};
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

test.each([
  ["alert", read("ops/prometheus/license-desk.rules.yml")],
  ["alert's test", read("ops/prometheus/license-desk.test.yml")],
  ["panel of the dashboard", queries.join("\n")],
])("every metric of an %s is exported by the server", (_, text) => {
  const series = exported.flatMap(({ name, type }) =>
    String(type) === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  // From elsewhere: the scrape itself, and the machine's exporter.
  const named = [...text.matchAll(/\b(?:license_desk|nodejs|process)_\w+\b/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !series.includes(name))).toEqual([]);
});

test("every metric of the server that has an alert has a panel of the dashboard", () => {
  const named = read("ops/prometheus/license-desk.rules.yml").match(/\blicense_desk_\w+/g) ?? [];
  expect(named.length).toBeGreaterThan(20);
  const shown = new Set(queries.join("\n").match(/\blicense_desk_\w+/g));
  expect(named.filter((name) => !shown.has(name))).toEqual([]);
});

test("every alert is raised by its test", () => {
  const alerts = [...read("ops/prometheus/license-desk.rules.yml").matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const raised = new Set(
    [...read("ops/prometheus/license-desk.test.yml").matchAll(/alertname="(\w+)"/g)].map(([, name]) => name),
  );
  expect(alerts.length).toBeGreaterThan(20);
  expect(alerts.filter((name) => !raised.has(name))).toEqual([]);
});

test("every label of a query belongs to its metric", () => {
  const text = [...queries, read("ops/prometheus/license-desk.rules.yml")].join("\n");
  const wrong = [...text.matchAll(/\b(license_desk_\w+?)(?:_bucket)?\{([^}]*)\}/g)].flatMap(
    ([, name = "", inner = ""]) =>
      [...inner.matchAll(/(\w+)\s*(?:=|!)/g)]
        .map(([, label = ""]) => ({ name, label }))
        .filter(({ label }) => !labelsOf({ name } as Metric).includes(label)),
  );
  expect(wrong).toEqual([]);
});

describe("promtool", () => {
  const promtool = findOrInstallCommand("promtool", "prometheus");
  const check = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(promtool ?? "", args, {
      cwd: join(root, "ops", "prometheus"),
      encoding: "utf8",
    });
    return { status, output: stdout + stderr };
  };

  test.skipIf(promtool === null).each([
    ["the configuration", ["check", "config", "--syntax-only", "prometheus.yml"]],
    ["the alerts", ["check", "rules", "license-desk.rules.yml"]],
    ["what raises each alert, and what does not", ["test", "rules", "license-desk.test.yml"]],
  ])("accepts %s", (_, args) => {
    expect(check(...args)).toMatchObject({ status: 0 });
  });

  test.skipIf(promtool === null)("accepts every query of the dashboard", () => {
    const folder = mkdtempSync(join(tmpdir(), "queries-"));
    const rules = queries.map((expr, index) => ({
      record: `query_${index}`,
      expr: expr.replaceAll("$__rate_interval", "1m"),
    }));
    const file = join(folder, "queries.json");
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
    expect(check("check", "rules", file)).toMatchObject({ status: 0 });
    rmSync(folder, { recursive: true });
  });
});
