/**
 * Several machines: what fails there, what is lost, and how long it takes. Prints a line for each measurement.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import pg from "pg";
import { revokeApiKey } from "#lib/services/api-key/revoke.ts";
import { verifyWallets } from "#lib/services/wallet/verify.ts";
import { findCommand, findOrInstallCommand } from "../../scripts/shells.ts";
import { type Machines, makeNextVersion, startMachines, stopMachines } from "../support/machines.ts";
import { askProxy, findProxy } from "../support/proxy.ts";
import { newReseller, type Reseller, systemContext } from "../support/world.ts";

const START_TIMEOUT_MS = 180_000;
const CLIENTS = 6;
const BETWEEN_MS = 25;
const FUNDS = "900000";
const FORM = "application/x-www-form-urlencoded";
const RETRY_MS = 200;
const UPGRADE = "29990101000000_next_version";
const PATIENCE_MS = 60_000;

const missing = ["redis-server", "pgbouncer"].filter((name) => findOrInstallCommand(name) === null);
if (findProxy("nginx") === null || findCommand("nginx") === null) missing.push("nginx");

test.describe.configure({ mode: "serial", timeout: 180_000 });
test.skip(missing.length > 0, `not installed: ${missing.join(", ")}`);

let machines: Machines;
let reseller: Reseller;
let product: Awaited<ReturnType<Reseller["newProduct"]>>;
const registered: string[] = [];

test.beforeAll(async () => {
  test.setTimeout(START_TIMEOUT_MS);
  machines = await startMachines();
  reseller = await newReseller(machines.replicas[0]?.url ?? "", { funds: FUNDS });
  product = await reseller.newProduct({ price: 100n });
  await warmUp();
});

test.afterAll(() => stopMachines());

/** A process that has just started can be too busy to hear Redis in time, and then counts for itself for a second. */
async function warmUp(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      machines.replicas.map(({ url }) =>
        fetch(`${url}/api/v1/?endpoint=balance`, { headers: { "x-api-key": reseller.apiKey } }),
      ),
    );
  }
  await sleep(1_000);
}

function report(what: string, figures: Readonly<Record<string, number | string>>): void {
  const text = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  process.stdout.write(`  ${what}: ${text.join(", ")}\n`);
}

/** The status, or 0 without an answer. */
async function ask(path: string, form?: Readonly<Record<string, string | number>>, key = ""): Promise<number> {
  const headers = { "x-api-key": reseller.apiKey, ...(form ? { "content-type": FORM, "idempotency-key": key } : {}) };
  const body =
    form && new URLSearchParams(Object.entries(form).map(([name, value]) => [name, String(value)])).toString();
  try {
    const request = body === undefined ? { headers } : { method: "POST", headers, body };
    const { status, text } = await askProxy(machines.balancer, `/api/v1/?endpoint=${path}`, request);
    if (form && status === 200) registered.push(JSON.parse(text).data.license_key);
    return status;
  } catch {
    return 0;
  }
}

const order = (key: string, ip_address: string) =>
  ask("license.register", { product_id: product.product_id, cycle_id: product.cycle_id, ip_address }, key);

interface Load {
  readonly requests: number;
  /** Requests without a final answer: what a client without retries would have lost. */
  readonly unanswered: number;
  /** Their number by status; 0: no answer. */
  readonly failures: string;
  /** Orders that never got their answer, however often they were repeated. */
  readonly lost: number;
  /** The longest time in which nothing was ordered, in seconds. */
  readonly longestGap: number;
}

/** Reads and orders until `work` is done; an order without an answer is repeated under its key. */
async function underLoad(work: () => Promise<void>): Promise<Load> {
  let isDone = false;
  const failures: Record<number, number> = {};
  let requests = 0;
  let unanswered = 0;
  let lost = 0;
  let longestGap = 0;
  let lastOrderAtMs = performance.now();
  const count = (status: number) => {
    requests += 1;
    if (status !== 200) {
      unanswered += 1;
      failures[status] = (failures[status] ?? 0) + 1;
    }
    return status === 200;
  };
  const place = async () => {
    const [key, ip] = [randomUUID(), reseller.newAddress()];
    const patientUntilMs = performance.now() + PATIENCE_MS;
    while (!count(await order(key, ip))) {
      if (performance.now() > patientUntilMs) {
        lost += 1;
        return;
      }
      await sleep(RETRY_MS);
    }
    longestGap = Math.max(longestGap, (performance.now() - lastOrderAtMs) / 1_000);
    lastOrderAtMs = performance.now();
  };
  const client = async () => {
    while (!isDone) {
      count(await ask("balance"));
      count(await ask("license.list"));
      await place();
      await sleep(BETWEEN_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  await sleep(500);
  try {
    await work();
  } finally {
    isDone = true;
  }
  await Promise.all(clients);
  return { requests, unanswered, failures: JSON.stringify(failures), lost, longestGap: Number(longestGap.toFixed(1)) };
}

async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: machines.databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

const findOpen = async () =>
  (await query<{ id: string }>("select id from operations where state in ('held', 'sent', 'unknown')")).map(
    ({ id }) => id,
  );

test("a quota holds over all replicas, to the request", async () => {
  const { apiKey } = await reseller.newKey({ rateLimit: 50 });
  const asked = await Promise.all(
    Array.from({ length: 150 }, () =>
      askProxy(machines.balancer, "/api/v1/?endpoint=balance", { headers: { "x-api-key": apiKey } }),
    ),
  );
  const granted = asked.filter(({ status }) => status === 200).length;
  report("quota of 50", { requests: asked.length, granted });
  expect(granted).toBe(50);
  expect(asked.filter(({ status }) => status === 429)).toHaveLength(100);
});

test("without Redis requests are answered all the same", async () => {
  machines.redis.freeze();
  const load = await underLoad(() => sleep(3_000));
  machines.redis.wakeUp();
  report("Redis hangs", { ...load });
  expect(load).toMatchObject({ unanswered: 0, lost: 0 });
});

test("a revoked key dies on every replica within a second", async () => {
  const { apiKey, apiKeyId } = await reseller.newKey();
  const askAll = () =>
    Promise.all(
      machines.replicas.map(async ({ url }) => {
        const sentAtMs = performance.now();
        const { status } = await fetch(`${url}/api/v1/?endpoint=balance`, { headers: { "x-api-key": apiKey } });
        return { sentAtMs, status };
      }),
    );
  expect((await askAll()).map(({ status }) => status)).toEqual([200, 200, 200]);
  await revokeApiKey(systemContext(), { apiKeyId });
  const revokedAtMs = performance.now();
  let lastAcceptedMs = 0;
  for (const endsAtMs = revokedAtMs + 2_000; performance.now() < endsAtMs; await sleep(20)) {
    for (const { sentAtMs, status } of await askAll()) {
      if (status === 200) lastAcceptedMs = Math.max(lastAcceptedMs, sentAtMs - revokedAtMs);
    }
  }
  report("revoked key", { "last accepted after ms": Math.round(lastAcceptedMs) });
  expect(lastAcceptedMs).toBeLessThan(1_000);
});

test("a rolling upgrade, with a migration, loses no request", async () => {
  const nextVersion = makeNextVersion(UPGRADE, "alter table licenses add column next_version text;");
  const load = await underLoad(async () => {
    for (const machine of [...machines.replicas, ...machines.workers]) {
      await machine.stop();
      await machine.start(nextVersion);
    }
  });
  report("rolling upgrade", { ...load });
  expect(load).toMatchObject({ unanswered: 0, lost: 0 });
  expect(await query("select from _prisma_migrations where migration_name = $1", [UPGRADE])).toHaveLength(1);
});

test("whichever process is killed, no order is lost, and its work is resumed within 5 seconds", async () => {
  for (const [what, victim] of [
    ["a replica", machines.replicas[1]],
    ["a worker", machines.workers[0]],
  ] as const) {
    let resumedAfter = 0;
    const load = await underLoad(async () => {
      await victim?.kill();
      const killedAtMs = performance.now();
      const abandoned = new Set(await findOpen());
      const remain = async () => (await findOpen()).filter((id) => abandoned.has(id));
      await expect.poll(remain, { timeout: 20_000, intervals: [100] }).toEqual([]);
      resumedAfter = (performance.now() - killedAtMs) / 1_000;
      await sleep(1_000);
      await victim?.start();
    });
    report(`${what} is killed`, { ...load, "resumed after s": resumedAfter.toFixed(1) });
    expect(load.lost).toBe(0);
    expect(resumedAfter).toBeLessThan(5);
  }
  const load = await underLoad(async () => {
    await machines.pooler.replace();
    await sleep(1_000);
  });
  report("PgBouncer is killed", { ...load });
  expect(load.lost).toBe(0);
});

test("a failover to the synchronous standby loses no order, and takes at most 10 seconds", async () => {
  let promoted = 0;
  const load = await underLoad(async () => {
    promoted = await machines.failOver();
    await sleep(12_000);
  });
  const rejected = await query<{ reason: string }>(
    "select format('%s: %s', attempt, failure_message) as reason from operations where state = 'rejected'",
  );
  const reasons = JSON.stringify(rejected.map(({ reason }) => reason));
  report("failover", { ...load, "promoted after s": promoted.toFixed(1), rejected: reasons });
  expect(load.lost).toBe(0);
  expect(load.longestGap).toBeLessThan(10);
});

test("afterwards every order exists once, nothing is open, and the books agree", async () => {
  await expect.poll(findOpen, { timeout: 30_000 }).toEqual([]);
  expect(new Set(registered).size).toBe(registered.length);
  const licenses = await query<{ key: string }>("select key from licenses where product_id = $1", [product.product_id]);
  const [charged] = await query("select -sum(amount)::int as cents from ledger_entries where amount < 0");
  report("orders", { answered: registered.length, licenses: licenses.length, charged: `${charged?.cents} cents` });
  expect(licenses.map(({ key }) => key).toSorted()).toEqual(registered.toSorted());
  expect(charged).toEqual({ cents: 100 * licenses.length });
  expect(await verifyWallets(systemContext())).toMatchObject({ differences: [] });
});
