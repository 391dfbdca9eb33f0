import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { apiFetch } from "#lib/http/route-table.ts";
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { checkLedger } from "#lib/services/wallet/check-ledger.ts";
import { sql } from "#tests/sql.ts";
import { rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf } from "#tests/support/sandbox.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";

let world: World;
let reseller: ResellerWorld;

beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller({ funds: "500" });
  Object.assign(process.env, { DATABASE_URL: world.url, API_KEY_PEPPER: PEPPER, LOG_LEVEL: "silent" });
});
afterAll(() => world.close());
afterEach(() => closeRuntime());

const run = <Row>(text: string, values: readonly unknown[] = []) => world.db.query(sql<Row>(text), values);

/** Samples of this process by name and labels, as Prometheus reads them. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const text = await getRuntime().metrics.render();
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    samples.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

async function call(target: string, apiKey: string): Promise<number> {
  const request = new Request(`http://desk.test${target}`, { headers: { authorization: `Bearer ${apiKey}` } });
  return (await apiFetch(request, { peerAddress: "203.0.113.9", target })).status;
}

test("requests are counted by interface, operation and code, with their durations", async () => {
  const scopes = ["licenses:read"] as const;
  const { apiKey } = await createResellerApiKey(world.operator, {
    resellerId: reseller.id,
    name: "shop",
    scopes: [...scopes],
  });
  expect(await call("/api/v1/me", apiKey)).toBe(200);
  expect(await call("/api/v1/me", apiKey)).toBe(200);
  expect(await call("/api/v1/license/status?license_id=lic_999", apiKey)).toBe(404);
  expect(await call("/api/v1/nothing", apiKey)).toBe(404);
  expect(await call("/api/v1/me", "lk_live_unknown")).toBe(401);
  const samples = await scrape();
  const count = (operation: string, code: string) =>
    samples.get(`license_desk_requests_total{interface="path",operation="${operation}",code="${code}"}`);
  expect(count("me.get", "ok")).toBe(2);
  expect(count("license.status", "license_not_found")).toBe(1);
  expect(count("none", "operation_unknown")).toBe(1);
  expect(count("none", "api_key_invalid")).toBe(1);
  const duration = `{interface="path",operation="me.get"}`;
  expect(samples.get(`license_desk_request_duration_seconds_count${duration}`)).toBe(2);
  expect(samples.get(`license_desk_request_duration_seconds_sum${duration}`)).toBeGreaterThan(0);
});

test("open operations, held money and backlogs are those of the database, without test mode", async () => {
  const unknown = await reseller.register({ ip: rehearsed.garblesAnswer });
  expect(unknown.operation.state).toBe("unknown");
  await run("update operations set created_at = now() - interval '20 minutes' where id = $1", [unknown.operation.id]);
  const [hold] = await run<{ amount: number }>(
    "select hold_amount::float8 / 100 as amount from operations where id = $1",
    [unknown.operation.id],
  );
  const sandbox = await sandboxOf(world, reseller);
  const rehearsal = await sandbox.register({ ip: rehearsed.garblesAnswer });
  expect(rehearsal.operation.state).toBe("unknown");
  await run(`insert into processes (id, host, pid, job_workers, started_at, lease_until)
             values (gen_random_uuid(), 'one', 1, '{w}', now(), now() + interval '1 hour'),
                    (gen_random_uuid(), 'two', 1, '{}', now(), now() + interval '1 hour'),
                    (gen_random_uuid(), 'dead', 1, '{w}', now(), now() - interval '1 hour')`);
  const samples = await scrape();
  expect(samples.get(`license_desk_up{part="database"}`)).toBe(1);
  expect(samples.get(`license_desk_open_operations{state="unknown"}`)).toBe(1);
  expect(samples.get(`license_desk_open_operations{state="held"}`)).toBe(0);
  expect(samples.get(`license_desk_open_operation_age_seconds{state="unknown"}`)).toBeCloseTo(1_200, -2);
  expect(samples.get(`license_desk_held_money{currency="USD"}`)).toBe(hold?.amount);
  expect(samples.get("license_desk_workers")).toBe(1);
  expect(samples.get("license_desk_queue_due_jobs")).toBe(0);
  expect(samples.get("license_desk_mail_due_messages")).toBe(0);
});

test("the check of the ledger is absent before the first one, then its result and time", async () => {
  await run("delete from ledger_checks");
  expect((await scrape()).has("license_desk_ledger_differences")).toBe(false);
  await closeRuntime();
  const before = Date.now() / 1_000;
  expect(await checkLedger(world.context({ kind: "system", name: "worker" }))).toEqual({
    differences: expect.any(Number),
  });
  await run("update wallets set posted = posted + 1 where reseller_id = $1", [reseller.id]);
  const { differences } = await checkLedger(world.context({ kind: "system", name: "worker" }));
  await run("update wallets set posted = posted - 1 where reseller_id = $1", [reseller.id]);
  expect(differences).toBeGreaterThan(0);
  const samples = await scrape();
  expect(samples.get("license_desk_ledger_differences")).toBe(differences);
  expect(samples.get("license_desk_last_ledger_check_timestamp_seconds")).toBeGreaterThan(before - 5);
});

test("only a verified backup counts, from its beginning", async () => {
  await run(`insert into backups (started_at, ended_at, verified, error)
             values ('2027-01-01T00:00:00Z', now(), true, null), ('2027-01-02T00:00:00Z', now(), false, 'no space'),
                    ('2027-01-03T00:00:00Z', null, false, null)`);
  const samples = await scrape();
  expect(samples.get("license_desk_last_backup_timestamp_seconds")).toBe(Date.parse("2027-01-01T00:00:00Z") / 1_000);
});

test("a scrape succeeds without a database, and says so", async () => {
  process.env.DATABASE_URL = "postgresql://nobody@127.0.0.1:1/none";
  const startMs = performance.now();
  const samples = await scrape();
  expect(performance.now() - startMs).toBeLessThan(3_000);
  expect(samples.get(`license_desk_up{part="database"}`)).toBe(0);
  expect(
    [...samples.keys()].filter((name) => /license_desk_.*(?:_operation|_held_|_due_|_lag_|workers|ledger)/.test(name)),
  ).toEqual([]);
  expect(samples.get(`license_desk_pool_waiting{pool="requests"}`)).toBeDefined();
  process.env.DATABASE_URL = world.url;
});

test("no label contains a key, an address, a name or an id", async () => {
  const { apiKey } = await createResellerApiKey(world.operator, {
    resellerId: reseller.id,
    name: "shop",
    scopes: ["licenses:read"],
  });
  await call("/api/v1/license/status?ip_address=203.0.113.77", apiKey);
  await call(`/api/v1/${apiKey}`, apiKey);
  await call("/api/v1/license/status?license_id=lic_424242", apiKey);
  const names = [...(await scrape()).keys()].join("\n");
  for (const secret of [apiKey, apiKey.slice(0, 12), "203.0.113", "424242", "shop"])
    expect(names).not.toContain(secret);
});
