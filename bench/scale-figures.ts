/** What services, rows and changes cost in a database of some size: one call at a time, without HTTP and pages. */
import { setTimeout as sleep } from "node:timers/promises";
import { getRow } from "#lib/db/connection/statement.ts";
import type { ApiKeyId, ResellerId, UserId } from "#lib/domain/ids.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { scopes } from "#lib/domain/scopes.ts";
import { getRuntime } from "#lib/runtime.ts";
import { listLicenses } from "#lib/services/license/list.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { verifyLicense } from "#lib/services/license/verify.ts";
import { getOverview } from "#lib/services/overview/get.ts";
import { maintainPartitions } from "#lib/services/retention/maintain-partitions.ts";
import { pruneOldRecords } from "#lib/services/retention/prune.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { sql } from "#tests/sql.ts";
import { percentile } from "./pages-report.ts";

const CALLS = 300;
const VERIFICATIONS = 4_000;
const WARM_UP_CALLS = 20;
/** Longer than verifications are collected before they are written. */
const WRITTEN_MS = 3_000;
const EVENTS = 20_000;

export interface CallFigures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Bytes a call writes to the log (WAL). */
  readonly logBytes: number;
}

/** Bytes, with indexes: of a row of each table; and of an event with its delivery and attempt. */
export interface RowFigures {
  readonly storedBytes: Readonly<Record<string, number>>;
  readonly eventLogBytes: number;
  readonly databaseBytes: number;
}

async function read(text: string, parameters: readonly unknown[] = []): Promise<number> {
  return (await getRow(getRuntime().db, sql<{ n: number }>(`select (${text})::float8 as n`), parameters)).n;
}

const readLogBytes = () => read("pg_current_wal_insert_lsn() - '0/0'");

async function measure(calls: number, call: (index: number) => Promise<unknown>, pauseMs = 0): Promise<CallFigures> {
  for (let index = -WARM_UP_CALLS; index < 0; index++) await call(index);
  await sleep(pauseMs);
  const before = await readLogBytes();
  const times: number[] = [];
  for (let index = 0; index < calls; index++) {
    const startedAt = performance.now();
    await call(index);
    times.push(performance.now() - startedAt);
  }
  await sleep(pauseMs);
  const logBytes = ((await readLogBytes()) - before) / calls;
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99), logBytes };
}

export async function measureServices(resellerId: ResellerId): Promise<Readonly<Record<string, CallFigures>>> {
  const { db, contextFor } = getRuntime();
  const apiKey = {
    kind: "api_key",
    apiKeyId: 0 as ApiKeyId,
    firstKeyId: 0 as ApiKeyId,
    licenseId: null,
    spendingKeyId: null,
  } as const;
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
  const addressAt = (index: number) =>
    `172.16.${(index + WARM_UP_CALLS) >> 8}.${(index + WARM_UP_CALLS) & 255}` as LicenseAddress;
  const verify = (index: number) => verifyLicense(key, licenses.at(index % licenses.length) as never);
  const figures = {
    verify: await measure(VERIFICATIONS, verify, WRITTEN_MS),
    register: await measure(CALLS, (index) => registerLicense(key, { ...offer, ipAddress: addressAt(index) })),
    list: await measure(CALLS, () => listLicenses(key, { ...page, filter: {} })),
    search: await measure(CALLS, () => listLicenses(key, { ...page, filter: { text: "web12" } })),
    "search without a match": await measure(CALLS, () => listLicenses(key, { ...page, filter: { text: "no such" } })),
    overview: await measure(CALLS, () => getOverview(user)),
  };
  const upkeep = keepUp(system);
  const busy = await measure(VERIFICATIONS, verify, WRITTEN_MS).finally(() => upkeep.stop());
  return { ...figures, "verify during upkeep": busy };
}

/** Vacuum and retention, one run after the other, as a worker and autovacuum do them now and then. */
function keepUp(system: Parameters<typeof maintainPartitions>[0]) {
  let isStopped = false;
  const run = async () => {
    while (!isStopped) {
      await maintainPartitions(system);
      await pruneOldRecords(system);
      for (const table of ["licenses", "operations", "ledger_entries", "events", "verifications"]) {
        await system.db.query(sql(`vacuum ${table}`), []);
      }
    }
  };
  const running = run();
  return {
    stop: () => {
      isStopped = true;
      return running;
    },
  };
}

const sizeOf = (table: string) =>
  `coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree('${table}')), pg_total_relation_size('${table}'))`;

export async function measureRows(resellerId: ResellerId): Promise<RowFigures> {
  const storedBytes: Record<string, number> = {};
  for (const table of ["licenses", "address_claims", "operations", "ledger_entries", "events", "verifications"]) {
    storedBytes[table] = await read(`${sizeOf(table)} / greatest((select count(*) from ${table}), 1)`);
  }
  const databaseBytes = await read("pg_database_size(current_database())");
  const event = await measureEvents(resellerId);
  return {
    storedBytes: { ...storedBytes, "event with delivery": event.storedBytes },
    eventLogBytes: event.logBytes,
    databaseBytes,
  };
}

/** Events with a delivery and its attempt each. */
async function measureEvents(resellerId: ResellerId): Promise<{ storedBytes: number; logBytes: number }> {
  const run = (text: string) => getRuntime().db.query(sql(text), [resellerId]);
  const all = ["events", "webhook_deliveries", "webhook_attempts"].map(sizeOf).join(" + ");
  await run(`insert into webhook_endpoints (reseller_id, url, secret, seal_id, created_at, updated_at)
             values ($1, 'https://shop.example', '', gen_random_uuid(), now(), now())`);
  const [bytes, log] = [await read(all), await readLogBytes()];
  await run(`insert into events (id, reseller_id, kind, data, license_id, occurred_at)
             select gen_random_uuid(), l.reseller_id, 'license.renewed', jsonb_build_object('license_id', 'lic_' || l.id, 'type',
                    'control_panel', 'server', l.ip_address, 'expires_at', l.expires_at), l.id, now()
               from (select * from licenses where reseller_id = $1 limit 1) l, generate_series(1, ${EVENTS})`);
  await run(`insert into webhook_attempts (delivery_id, endpoint_id, number, manual, started_at, succeeded, duration_ms, status)
             select id, endpoint_id, 1, false, now(), true, 40, 200 from webhook_deliveries where reseller_id = $1`);
  await run(`update webhook_deliveries set state = 'succeeded', attempt_count = 1 where reseller_id = $1`);
  const [newBytes, newLog] = [await read(all), await readLogBytes()];
  return { storedBytes: (newBytes - bytes) / EVENTS, logBytes: (newLog - log) / EVENTS };
}
