/** Response times with many licenses compared with few, with requests to both servers in turn. */
import { licenseOrders } from "#lib/domain/license-order.ts";
import { licenseStatuses } from "#lib/domain/license-status.ts";
import { type PageFigure, percentile } from "./pages-report.ts";
import type { PagesWorld } from "./pages-world.ts";

const RATIO_LIMIT = 1.5;
const WARM_UP = 4;

interface Case {
  readonly group: string;
  readonly name: string;
  /** Requested one after the other, as a user types letter by letter. */
  readonly paths: readonly string[];
}

const list = (query: Readonly<Record<string, string>>) => {
  const text = new URLSearchParams(query).toString();
  return text === "" ? "/licenses" : `/licenses?${text}`;
};

const listQueries: readonly Readonly<Record<string, string>>[] = [
  {},
  ...licenseStatuses.map((status) => ({ status })),
  { product: "control_panel" },
  { product: "backup_agent", status: "suspended" },
  { expires: "7" },
  { expires: "30" },
  { address: "10.1.0.0/16" },
  ...licenseOrders.slice(1).map((sort) => ({ sort })),
  { status: "expired", sort: "ends_first" },
];

/** Common and rare words, host, address, order, key. */
const searches = ["web12", "oakfield-12", "10.1.2.3", "Order 1004", "LIC-7K", "zzq", "no such"];

const api = (query: string) => `/api/v1/licenses?${query}`;

const cases: readonly Case[] = [
  { group: "Overview", name: "/overview", paths: ["/overview"] },
  ...listQueries.map((query) => ({ group: "List page", name: list(query), paths: [list(query)] })),
  ...searches.map((text) => ({
    group: "Search as you type",
    name: text,
    paths: Array.from(text, (_, index) => list({ q: text.slice(0, index + 1) })),
  })),
  ...["limit=100", "limit=100&status=expired", "limit=100&q=web12"].map((query) => ({
    group: "GET /licenses",
    name: query,
    paths: [api(query)],
  })),
];

async function time(world: PagesWorld, path: string): Promise<number> {
  const { name, value } = world.cookies.reseller;
  const headers: Record<string, string> = path.startsWith("/api/")
    ? { authorization: `Bearer ${world.apiKey}` }
    : { cookie: `${name}=${value}` };
  const startedAt = performance.now();
  const response = await fetch(`${world.url}${path}`, { headers, redirect: "manual" });
  await response.arrayBuffer();
  const tookMs = performance.now() - startedAt;
  if (response.status !== 200) throw new Error(`${path} answers ${response.status} with ${world.licenses} licenses.`);
  return tookMs;
}

async function compare({ group, name, paths }: Case, small: PagesWorld, large: PagesWorld, requests: number) {
  const times = { small: [] as number[], large: [] as number[] };
  for (let request = -WARM_UP; request < requests; request++) {
    const path = paths[Math.abs(request) % paths.length] ?? "/";
    // Alternates the order, so that neither side always comes second.
    for (const side of request % 2 === 0 ? (["small", "large"] as const) : (["large", "small"] as const)) {
      const tookMs = await time(side === "small" ? small : large, path);
      if (request >= 0) times[side].push(tookMs);
    }
  }
  const [p95Small, p95Large] = [percentile(times.small, 0.95), percentile(times.large, 0.95)];
  const detail = `p95 ${p95Small.toFixed(1)} → ${p95Large.toFixed(1)} ms, p50 ${percentile(times.small, 0.5).toFixed(1)} → ${percentile(times.large, 0.5).toFixed(1)} ms`;
  return { group, name, figure: p95Large / p95Small, limit: RATIO_LIMIT, unit: "×", detail } satisfies PageFigure;
}

/** @param requests per server and case; at least eight per letter of a word */
export async function compareLatencies(
  small: PagesWorld,
  large: PagesWorld,
  requests: number,
  log: (line: string) => void,
): Promise<PageFigure[]> {
  const figures: PageFigure[] = [];
  for (const one of cases) {
    log(`${one.group}: ${one.name}`);
    figures.push(await compare(one, small, large, Math.max(requests, 8 * one.paths.length)));
  }
  return figures;
}
