/** Response times with many licenses compared with few, with requests to both servers in turn. */
import { licenseOrders } from "#lib/domain/license-order.ts";
import { licenseStatuses } from "#lib/domain/license-status.ts";
import { type PageFigure, percentile } from "./pages-report.ts";
import type { PagesWorld } from "./pages-world.ts";
import { median, spread } from "./report.ts";

const RATIO_LIMIT = 1.3;
const WARM_UP = 4;
/** Consecutive requests, each with a p95 of its own: what disturbs the machine for a while decides one of them. */
const ROUNDS = 5;
/** With fewer, the p95 of a round is that of its slowest request. */
const JUDGED_FROM = ROUNDS * 20;

interface Case {
  readonly group: string;
  readonly name: string;
  /** Requested one after the other, as a user types letter by letter. */
  readonly paths: readonly string[];
  /** With few licenses, a filter of the same kind that finds as many. */
  readonly fewPath?: string;
}

const list = (query: Readonly<Record<string, string>>) => {
  const text = new URLSearchParams(query).toString();
  return text === "" ? "/licenses" : `/licenses?${text}`;
};

type Query = Readonly<Record<string, string>>;

const listQueries: readonly (readonly [many: Query, few?: Query])[] = [
  [{}],
  ...licenseStatuses.map((status) => [{ status }] as const),
  [{ product: "control_panel" }],
  [
    { product: "backup_agent", status: "suspended" },
    { product: "control_panel", status: "active" },
  ],
  [{ expires: "7" }],
  [{ expires: "30" }],
  [{ address: "10.1.0.0/16" }, { address: "10.0.0.0/8" }],
  ...licenseOrders.slice(1).map((sort) => [{ sort }] as const),
  [{ status: "expired", sort: "ends_first" }],
];

/** Common and rare words, host, address, order, key. */
const searches = ["web12", "oakfield-12", "10.1.2.3", "Order 1004", "LIC-7K", "zzq", "no such"];

const api = (query: string) => `/api/v1/licenses?${query}`;

const cases: readonly Case[] = [
  { group: "Overview", name: "/overview", paths: ["/overview"] },
  ...listQueries.map(([many, few]) => ({
    group: "List page",
    name: list(many),
    paths: [list(many)],
    ...(few && { fewPath: list(few) }),
  })),
  ...searches.map((text) => ({
    group: "Search as you type",
    name: text,
    paths: Array.from(text, (_, index) => list({ q: text.slice(0, index + 1) })),
  })),
  ...["limit=100", "limit=100&status=active"].map((query) => ({
    group: "GET /licenses",
    name: query,
    paths: [api(query)],
  })),
  {
    group: "GET /licenses",
    name: "limit=100&q=web12",
    paths: [api("limit=100&q=web12")],
    fewPath: api("limit=100&q=web"),
  },
];

interface Answer {
  readonly tookMs: number;
  readonly rows: number;
}

async function ask(world: PagesWorld, path: string): Promise<Answer> {
  const { name, value } = world.cookies.reseller;
  const isApi = path.startsWith("/api/");
  const headers: Record<string, string> = isApi
    ? { authorization: `Bearer ${world.apiKey}` }
    : { cookie: `${name}=${value}` };
  const startedAt = performance.now();
  const response = await fetch(`${world.url}${path}`, { headers, redirect: "manual" });
  const text = await response.text();
  const tookMs = performance.now() - startedAt;
  if (response.status !== 200) throw new Error(`${path} answers ${response.status} with ${world.licenses} licenses.`);
  return { tookMs, rows: text.split(isApi ? '"id":' : "<tr").length - 1 };
}

/**
 * The median of the rounds' ratios of their p95. Judges only pages with as many rows, if there are enough: a shorter
 * one is faster whatever the database does.
 */
async function compare(one: Case, small: PagesWorld, large: PagesWorld, requests: number): Promise<PageFigure> {
  const pairs: { readonly path: string; readonly few: Answer; readonly many: Answer }[] = [];
  for (let request = -WARM_UP; request < requests; request++) {
    const path = one.paths[Math.abs(request) % one.paths.length] ?? "/";
    const askSmall = () => ask(small, one.fewPath ?? path);
    // Alternates the order, so that neither side always comes second.
    const first = request % 2 === 0 ? await askSmall() : null;
    const many = await ask(large, path);
    const few = first ?? (await askSmall());
    if (request >= 0) pairs.push({ path, few, many });
  }
  const equal = pairs.filter(({ few, many }) => few.rows === many.rows);
  const judged = equal.length > 0 ? equal : pairs;
  const left = new Set(pairs.filter((pair) => !judged.includes(pair)).map(({ path }) => path)).size;
  const rounds = Array.from({ length: ROUNDS }, (_, round) =>
    judged.slice((round * judged.length) / ROUNDS, ((round + 1) * judged.length) / ROUNDS),
  );
  const inRounds = (side: "few" | "many", share: number) =>
    rounds.map((round) =>
      percentile(
        round.map((pair) => pair[side].tookMs),
        share,
      ),
    );
  const few = { p95: inRounds("few", 0.95), p50: inRounds("few", 0.5) };
  const many = { p95: inRounds("many", 0.95), p50: inRounds("many", 0.5) };
  const change = (before: readonly number[], after: readonly number[]) =>
    `${median(before).toFixed(1)} → ${median(after).toFixed(1)} ms`;
  const times = `p95 ${change(few.p95, many.p95)}, p50 ${change(few.p50, many.p50)}`;
  const lengths =
    equal.length === 0
      ? ", pages of different lengths"
      : left > 0
        ? `, without ${left} of ${one.paths.length} pages of different lengths`
        : "";
  return {
    group: one.group,
    name: one.name,
    figure: median(many.p95.map((p95, round) => p95 / (few.p95[round] ?? Number.NaN))),
    limit: RATIO_LIMIT,
    unit: "×",
    detail: times + lengths,
    spread: spread(many.p50.map((p50, round) => p50 / (few.p50[round] ?? Number.NaN))),
    isJudged: equal.length >= JUDGED_FROM,
  };
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
