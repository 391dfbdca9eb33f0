import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import type { ApiKeyId, ResellerId } from "#lib/domain/ids.ts";
import { AHEAD_MS } from "#lib/domain/partitions.ts";
import { keptMs } from "#lib/domain/retention.ts";
import { listApiRequests } from "#lib/services/api-key/list-requests.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { loadStatements } from "#tests/support/all-statements.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createPastPartitions } from "./partitions.ts";

let world: World;
let resellerId: ResellerId;
let licenseId: number;
beforeAll(async () => {
  world = await newWorld();
  const reseller = await world.reseller();
  resellerId = reseller.id;
  ({ licenseId } = await reseller.register());
  await createPastPartitions(world.db, world.now());
  const rows = `insert into verifications (reseller_id, license_id, seen_ip, code, checked_at)
                select $1, $3::int + n % 500, '203.0.113.7', 'VALID', $2::timestamptz - interval '90 days' * n / 40000
                  from generate_series(1, 40000) n`;
  await world.db.query(sql(rows), [resellerId, world.now(), licenseId]);
  await world.db.query(sql("analyze verifications"), []);
});
afterAll(() => world.close());

interface Node {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Loops": number;
  readonly Plans?: readonly Node[];
}
const scansIn = (node: Node): Node[] => [
  ...(node["Relation Name"] === undefined ? [] : [node]),
  ...(node.Plans ?? []).flatMap(scansIn),
];

/** What a statement reads of verifications, by partition. */
async function scansOf(name: string, values: readonly unknown[]): Promise<Node[]> {
  const { text } = (await loadStatements()).find((statement) => statement.name === name) ?? { text: "" };
  const [row] = await world.db.query(
    sql<{ "QUERY PLAN": [{ Plan: Node }] }>(`explain (analyze, format json) ${text}`),
    values,
  );
  return scansIn(row?.["QUERY PLAN"][0].Plan as Node).filter(
    (scan) => scan["Relation Name"]?.startsWith("verifications") && scan["Actual Loops"] > 0,
  );
}
const since = (days: number) => new Date(world.now().getTime() - days * 86_400_000);
const partitionsOf = (scans: readonly Node[]) => new Set(scans.map((scan) => scan["Relation Name"]));
const countWeeks = (ms: number) => Math.ceil(ms / (7 * 86_400_000)) + 1;

test("a page of verifications reads indexes only, and the rows of that page from their own partitions", async () => {
  const kept = new Date(world.now().getTime() - keptMs("verifications"));
  const scans = await scansOf("list_verifications", [resellerId, licenseId, null, null, null, 10, kept]);
  expect(partitionsOf(scans).size).toBeGreaterThan(10);
  expect(scans.filter((scan) => scan["Node Type"] === "Seq Scan" && !isEmpty(scan))).toEqual([]);
  const rowReads = scans.filter((scan) => scan["Node Type"] === "Index Scan");
  expect(rowReads.reduce((sum, scan) => sum + scan["Actual Loops"], 0)).toBeLessThanOrEqual(10);
});

test("counting the verifications of the last days skips the partitions before", async () => {
  const scans = await scansOf("count_verifications", [resellerId, licenseId, since(7)]);
  const names = [...partitionsOf(scans)].filter((name) => name !== "verifications_default");
  expect(names.length).toBeGreaterThan(0);
  expect(names.length).toBeLessThanOrEqual(countWeeks(7 * 86_400_000 + AHEAD_MS));
  expect(scans.filter((scan) => scan["Node Type"] === "Seq Scan" && !isEmpty(scan))).toEqual([]);
});

test("a page of the request log reads the newest week first, and no further than it has to", async () => {
  const { id } = await world.db.prisma.apiKey.create({
    data: { resellerId, name: "k", secretHash: new Uint8Array(32), hint: "", scopes: ["wallet:read"] },
  });
  const rows = `insert into api_requests (api_key_id, started_at, method, operation, status, total_duration_us, max_duration_us, request_id)
                select $1, $2::timestamptz - interval '14 days' * n / 20000, 'GET', 'balance', 200, 1, 1, n::text from generate_series(1, 20000) n`;
  await world.db.query(sql(rows), [id, world.now()]);
  await world.db.query(sql("analyze api_requests"), []);
  const found: Node[] = [];
  const query: Database["query"] = async ({ text }, values) => {
    const explained = sql<{ "QUERY PLAN": [{ Plan: Node }] }>(`explain (analyze, format json) ${text}`);
    const [row] = await world.db.query(explained, values);
    found.push(...scansIn(row?.["QUERY PLAN"][0].Plan as Node));
    return [];
  };
  const ctx = world.context(actors.user(resellerId));
  const db = { ...world.db, reads: async () => ({ ...world.db, query }) };
  await listApiRequests({ ...ctx, db }, { filter: { apiKeyId: id as ApiKeyId }, before: null, limit: 50 });
  const read = found.filter((scan) => scan["Relation Name"]?.startsWith("api_requests") && scan["Actual Loops"] > 0);
  expect(read.map((scan) => scan["Relation Name"])).toEqual(["api_requests_20270308"]);
});

/** The default partition, and those of the coming weeks: their size is no reason for an index. */
function isEmpty(scan: Node): boolean {
  const name = scan["Relation Name"] ?? "";
  return name.endsWith("_default") || name.slice(-8) > "20270310";
}
