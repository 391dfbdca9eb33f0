/**
 * npm run bench:scale [-- --licenses=1000,100000,1000000]
 * The figures of docs/scale.md: what rows occupy, what changes write to the log, and how long services take without HTTP
 * and pages, one call at a time.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { getRow } from "#lib/db/connection/statement.ts";
import type { ApiKeyId, ResellerId, UserId } from "#lib/domain/ids.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { scopes } from "#lib/domain/scopes.ts";
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { seedLarge } from "#lib/seed/large.ts";
import { listLicenses } from "#lib/services/license/list.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { verifyLicense } from "#lib/services/license/verify.ts";
import { getOverview } from "#lib/services/overview/get.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { sql } from "#tests/sql.ts";
import { startBenchDatabase } from "./database.ts";
import { percentile } from "./pages-report.ts";

const RESELLERS = 12;
const CALLS = 300;
const VERIFICATIONS = 4_000;
/** Longer than verifications are collected before they are written. */
const WRITTEN_MS = 3_000;

const { values } = parseArgs({ options: { licenses: { type: "string", default: "1000,100000,1000000" } } });
const write = (line: string) => void process.stdout.write(`${line}\n`);

async function read(text: string, parameters: readonly unknown[] = []): Promise<number> {
  return (await getRow(getRuntime().db, sql<{ n: number }>(`select (${text})::float8 as n`), parameters)).n;
}

/** Bytes that the calls write to the log, and their times. */
async function measure(name: string, calls: number, call: (index: number) => Promise<unknown>, pauseMs = 0) {
  for (let index = -20; index < 0; index++) await call(index);
  await sleep(pauseMs);
  const before = await read("pg_current_wal_insert_lsn() - '0/0'");
  const times: number[] = [];
  for (let index = 0; index < calls; index++) {
    const startedAt = performance.now();
    await call(index);
    times.push(performance.now() - startedAt);
  }
  await sleep(pauseMs);
  const bytes = (await read("pg_current_wal_insert_lsn() - '0/0'")) - before;
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
  write(
    `  ${name.padEnd(24)} p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms, log ${(bytes / calls).toFixed(0)} bytes`,
  );
}

async function measureServices(resellerId: ResellerId): Promise<void> {
  const { db, contextFor } = getRuntime();
  const apiKey = { kind: "api_key", apiKeyId: 0 as ApiKeyId, licenseId: null, spendingKeyId: null } as const;
  const key = contextFor({ ...apiKey, resellerId, scopes: new Set(scopes) }, { requestId: "bench" });
  const user = contextFor(
    { kind: "reseller_user", userId: 0 as UserId, resellerId, role: "owner" },
    { requestId: "bench" },
  );
  const system = contextFor({ kind: "system", name: "bench" }, { requestId: "bench" });
  await topUpWallet(system, { resellerId, amount: "900000.00", note: "Benchmark" });
  const [offer] = await db.query(
    sql<{ productId: number; cycleId: number }>(
      `select p.id as "productId", c.id as "cycleId" from products p join billing_cycles c on c.product_id = p.id
        where p.slug = 'control_panel' order by c.months limit 1`,
    ),
    [],
  );
  if (!offer) throw new Error("the catalog has no control panel");
  const licenses = await db.query(
    sql<{ licenseKey: LicenseKey; ipAddress: string }>(
      `select key as "licenseKey", ip_address as "ipAddress" from licenses where reseller_id = $1 order by md5(key) limit 1000`,
    ),
    [resellerId],
  );
  const page = { order: "newest", after: null, limit: 100 } as const;
  const addressAt = (index: number) => `172.16.${(index + 20) >> 8}.${(index + 20) & 255}` as LicenseAddress;
  await measure(
    "verify",
    VERIFICATIONS,
    (index) => verifyLicense(key, licenses.at(index % licenses.length) as never),
    WRITTEN_MS,
  );
  await measure("register", CALLS, (index) => registerLicense(key, { ...offer, ipAddress: addressAt(index) }));
  await measure("list, 100 licenses", CALLS, () => listLicenses(key, { ...page, filter: {} }));
  await measure('search, "web12"', CALLS, () => listLicenses(key, { ...page, filter: { text: "web12" } }));
  await measure('search, "no such"', CALLS, () => listLicenses(key, { ...page, filter: { text: "no such" } }));
  await measure("overview", CALLS, () => getOverview(user));
}

const sizeOf = (table: string) =>
  `coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree('${table}')), pg_total_relation_size('${table}'))`;

/** What 20,000 events occupy, each with a delivery and its attempt. */
async function measureDeliveries(resellerId: ResellerId): Promise<void> {
  const count = 20_000;
  const run = (text: string) => getRuntime().db.query(sql(text), [resellerId]);
  const all = ["events", "webhook_deliveries", "webhook_attempts"].map(sizeOf).join(" + ");
  await run(`insert into webhook_endpoints (reseller_id, url, secret, seal_id, created_at, updated_at)
             values ($1, 'https://shop.example', '', gen_random_uuid(), now(), now())`);
  const [bytes, log] = [await read(all), await read("pg_current_wal_insert_lsn() - '0/0'")];
  await run(`insert into events (id, reseller_id, kind, data, license_id, occurred_at)
             select gen_random_uuid(), l.reseller_id, 'license.renewed', jsonb_build_object('license_id', 'lic_' || l.id, 'type',
                    'control_panel', 'server', l.ip_address, 'expires_at', l.expires_at), l.id, now()
               from (select * from licenses where reseller_id = $1 limit 1) l, generate_series(1, ${count})`);
  await run(`insert into webhook_attempts (delivery_id, endpoint_id, number, manual, started_at, succeeded, duration_ms, status)
             select id, endpoint_id, 1, false, now(), true, 40, 200 from webhook_deliveries where reseller_id = $1`);
  await run(`update webhook_deliveries set state = 'succeeded', attempt_count = 1 where reseller_id = $1`);
  const [newBytes, newLog] = [await read(all), await read("pg_current_wal_insert_lsn() - '0/0'")];
  write(
    `  event with delivery      ${((newBytes - bytes) / count).toFixed(0)} bytes, log ${((newLog - log) / count).toFixed(0)} bytes`,
  );
}

/** Bytes of a row with its share of the indexes. */
async function measureSizes(): Promise<void> {
  const tables = ["licenses", "address_claims", "operations", "ledger_entries", "events", "verifications"];
  for (const table of tables) {
    const [rows, bytes] = [await read(`select count(*) from ${table}`), await read(sizeOf(table))];
    write(`  ${table.padEnd(24)} ${rows} rows, ${(bytes / rows).toFixed(0)} bytes each`);
  }
  write(`  ${"database".padEnd(24)} ${((await read("pg_database_size(current_database())")) / 1e6).toFixed(0)} MB`);
}

for (const licenses of values.licenses.split(",").map(Number)) {
  const database = await startBenchDatabase(10);
  try {
    Object.assign(process.env, database.environment, { WORKER: "off" });
    const system = getRuntime().contextFor({ kind: "system", name: "bench" }, { requestId: "bench" });
    const options = { databaseUrl: database.environment.DATABASE_URL ?? "", licenses, resellers: RESELLERS };
    const { resellerId } = await seedLarge(system, { ...options, log: () => undefined });
    write(`${licenses} licenses`);
    await measureSizes();
    await measureServices(resellerId);
    await measureDeliveries(resellerId);
  } finally {
    await closeRuntime();
    await database.stop();
  }
}
