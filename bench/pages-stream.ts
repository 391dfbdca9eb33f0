/** Memory growth of the server while it streams all licenses, by the API and as CSV. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { PageFigure } from "./pages-report.ts";
import type { PagesWorld } from "./pages-world.ts";

const LIMIT_MB = 50;
/** Rows that the budget covers. The rest shows whether memory continues to grow. */
const BUDGET_ROWS = 100_000;
const SAMPLE_MS = 50;
/** Lets the server's memory settle after other work. */
const REST_MS = 2_000;
const KB_PER_MB = 1024;
/** Occurs once per row. */
const MARK = Buffer.from("lic_");

function residentMb(pid: number): number {
  const file = `/proc/${pid}/status`;
  const kb = existsSync(file)
    ? /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(file, "utf8"))?.[1]
    : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).trim();
  return Number(kb) / KB_PER_MB;
}

interface Reading {
  readonly rows: number;
  readonly seconds: number;
}

async function readAll(
  url: string,
  headers: Readonly<Record<string, string>>,
  onRows: (rows: number) => void,
): Promise<Reading> {
  const startedAt = performance.now();
  const response = await fetch(url, { headers });
  if (response.status !== 200 || response.body === null) throw new Error(`${url} answers ${response.status}.`);
  let rows = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of response.body) {
    const text = Buffer.concat([rest, chunk]);
    let last = 0;
    for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, last)) {
      rows += 1;
      last = at + MARK.length;
    }
    rest = text.subarray(Math.max(last, text.length - MARK.length + 1));
    onRows(rows);
  }
  return { rows, seconds: (performance.now() - startedAt) / 1000 };
}

/** Growth over the memory at rest just before: for the budget's rows, and in total. */
export async function measureStream(small: PagesWorld, large: PagesWorld): Promise<PageFigure[]> {
  const bearer = (world: PagesWorld) => ({ authorization: `Bearer ${world.apiKey}` });
  const { name, value } = large.cookies.reseller;
  const cases = [
    { group: "GET /licenses, streamed", path: "/api/v1/licenses", headers: bearer(large) },
    { group: "Licenses as CSV", path: "/licenses/export", headers: { cookie: `${name}=${value}` } },
  ];
  // Warms up the code, on the other server.
  await readAll(`${small.url}/api/v1/licenses`, bearer(small), () => undefined);
  for (let request = 0; request < 20; request++) {
    await fetch(`${large.url}/api/v1/licenses?limit=1000`, { headers: bearer(large) }).then((response) =>
      response.arrayBuffer(),
    );
  }
  // Without matches: loads the code of the CSV route.
  await readAll(`${large.url}/licenses/export?q=no+such+license`, { cookie: `${name}=${value}` }, () => undefined);
  const figures: PageFigure[] = [];
  for (const { group, path, headers } of cases) {
    await sleep(REST_MS);
    const before = residentMb(large.pid);
    let peak = before;
    let peakOfBudget = 0;
    const sample = () => {
      peak = Math.max(peak, residentMb(large.pid));
    };
    const sampling = setInterval(sample, SAMPLE_MS);
    const { rows, seconds } = await readAll(`${large.url}${path}`, headers, (rows) => {
      if (rows < BUDGET_ROWS || peakOfBudget > 0) return;
      sample();
      peakOfBudget = peak;
    }).finally(() => clearInterval(sampling));
    const line = (count: number, until: number, detail: string) => ({
      group,
      name: `${count} rows`,
      figure: until - before,
      limit: LIMIT_MB,
      unit: "MB" as const,
      detail: `resident ${before.toFixed(0)} → ${until.toFixed(0)} MB${detail}`,
    });
    if (peakOfBudget > 0 && rows > BUDGET_ROWS) figures.push(line(BUDGET_ROWS, peakOfBudget, ""));
    figures.push(line(rows, peak, `, ${seconds.toFixed(1)} s`));
  }
  return figures;
}
