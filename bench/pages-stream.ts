/** GET /licenses without a limit: how much memory the server takes while it streams all of them. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { PageFigure } from "./pages-report.ts";
import type { PagesWorld } from "./pages-world.ts";

const LIMIT_MB = 50;
const SAMPLE_MS = 50;
/** The memory of a server that has just been busy with something else says nothing. */
const REST_MS = 2_000;
const KB_PER_MB = 1024;
const MARK = Buffer.from('"id":"lic_');

/** Resident memory of a process in MB. */
function residentMb(pid: number): number {
  const file = `/proc/${pid}/status`;
  const kb = existsSync(file)
    ? /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(file, "utf8"))?.[1]
    : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).trim();
  return Number(kb) / KB_PER_MB;
}

async function readAll(world: PagesWorld): Promise<{ readonly rows: number; readonly seconds: number }> {
  const startedAt = performance.now();
  const response = await fetch(`${world.url}/api/v1/licenses`, {
    headers: { authorization: `Bearer ${world.apiKey}` },
  });
  if (response.status !== 200 || response.body === null) throw new Error(`GET /licenses answers ${response.status}.`);
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
  }
  return { rows, seconds: (performance.now() - startedAt) / 1000 };
}

export async function measureStream(small: PagesWorld, large: PagesWorld): Promise<PageFigure> {
  // The code of both is warm after this; the memory of the one that counts is still its own.
  await readAll(small);
  for (let request = 0; request < 20; request++) {
    await fetch(`${large.url}/api/v1/licenses?limit=1000`, {
      headers: { authorization: `Bearer ${large.apiKey}` },
    }).then((response) => response.arrayBuffer());
  }
  await sleep(REST_MS);
  const before = residentMb(large.pid);
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentMb(large.pid));
  }, SAMPLE_MS);
  const { rows, seconds } = await readAll(large).finally(() => clearInterval(sampling));
  return {
    group: "GET /licenses, streamed",
    name: `${rows} rows`,
    figure: peak - before,
    limit: LIMIT_MB,
    unit: "MB",
    detail: `resident ${before.toFixed(0)} → ${peak.toFixed(0)} MB, ${seconds.toFixed(1)} s`,
  };
}
