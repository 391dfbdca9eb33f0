import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { getRuntime } from "#lib/runtime.ts";
import { verifyWallets } from "#lib/services/wallet/verify.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";
import { startReceiver } from "#tests/support/receiver.ts";
import { ensureCatalog } from "../support/catalog.ts";
import { findFaults } from "../support/fuzz/judge.ts";
import { readMemory } from "../support/fuzz/memory.ts";
import { send } from "../support/http.ts";
import { startOwnServer } from "../support/own-server.ts";
import { expect, test } from "../support/test.ts";
import { newEndpoint } from "../support/webhooks.ts";
import { newReseller, type Reseller, systemContext } from "../support/world.ts";

/** `npm run soak -- --minutes=60` sets it. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 0.25);
const PER_SECOND = { verifications: 60, registrations: 3 };
const RESELLERS = 8;
/** The memory of a server that has loaded everything and filled its caches is reached after this part. */
const WARM_SHARE = 0.2;
const REPORTS = Math.ceil(Math.min(12, 2 + MINUTES));
const MAX_GROWTH_MB = { kept: 16, native: 48 };
const MINUTE_MS = 60_000;
const SETUP_MS = 90_000;
const NODE_OPTIONS = "--inspect=127.0.0.1:0";

interface Tally {
  readonly durations: number[];
  /** How many responses had each status; 0: none came. */
  readonly statuses: Record<number, number>;
}

const newTally = (): Tally => ({ durations: [], statuses: {} });

function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error("there is none");
  return item;
}

function percentile(durations: readonly number[], share: number): number {
  const ordered = durations.toSorted((a, b) => a - b);
  return Math.round(ordered[Math.floor((ordered.length - 1) * share)] ?? 0);
}

const sleepUntil = (ms: number) => sleep(Math.max(0, ms - performance.now()));

/** Open loop: each call at its time, however long the others take. */
async function callSteadily(perSecond: number, call: () => Promise<void>): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const startedAtMs = performance.now();
  for (let count = 0; count < MINUTES * 60 * perSecond; count++) {
    await sleepUntil(startedAtMs + (count * 1_000) / perSecond);
    const calling = call().finally(() => underWay.delete(calling));
    underWay.add(calling);
  }
  await Promise.all(underWay);
}

async function timed(tally: Tally, ask: () => Promise<{ readonly status: number }>): Promise<void> {
  const startedAtMs = performance.now();
  const status = await ask().then(
    (answer) => answer.status,
    () => 0,
  );
  tally.durations.push(performance.now() - startedAtMs);
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
}

test(`${PER_SECOND.verifications} verifications and ${PER_SECOND.registrations} registrations a second for ${MINUTES} minutes: no error, level memory, exact books, every event delivered`, async () => {
  test.skip(process.platform !== "linux", "Resident memory comes from /proc.");
  test.setTimeout(MINUTES * MINUTE_MS + SETUP_MS);
  const logs = mkdtempSync(join(tmpdir(), "license-desk-soak-"));
  const logFile = join(logs, "server.log");
  const receiver = await startReceiver();
  const server = await startOwnServer(
    "server",
    { LOG_LEVEL: "warn", WEBHOOK_ALLOW_HTTP: "1", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8", NODE_OPTIONS },
    { logFile },
  );
  try {
    await ensureCatalog(server.databaseUrl);
    const buyers = await Promise.all(Array.from({ length: RESELLERS }, () => newBuyer(server.url)));
    for (const { reseller } of buyers) await newEndpoint(reseller, receiver, { events: ["license.activated"] });
    const licenses: { readonly reseller: Reseller; readonly key: string }[] = [];
    const post = ({ reseller }: Owner, path: string, body: unknown) =>
      // Not by the client of other tests: each of its expectations is a step that Playwright keeps.
      send(server.url, {
        method: "POST",
        target: `/api/v1/${path}`,
        headers: { ...credentials(reseller), "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const register = async (buyer: Buyer) => {
      const { product_id, cycle_id } = buyer.product;
      const order = { product_id, cycle_id, ip_address: buyer.reseller.newAddress() };
      const answer = await post(buyer, "?endpoint=license.register", order);
      if (answer.status === 200) licenses.push({ reseller: buyer.reseller, key: answer.body.data.license_key });
      return answer;
    };
    const verify = (license: (typeof licenses)[number]) =>
      post(license, "license/verify", { license_key: license.key });
    for (const buyer of buyers) await register(buyer);

    const tallies = { verifications: newTally(), registrations: newTally() };
    const startedAtMs = performance.now();
    const endsAtMs = startedAtMs + MINUTES * MINUTE_MS;
    const memories: Awaited<ReturnType<typeof readMemory>>[] = [];
    const watch = async () => {
      for (let report = 1; report <= REPORTS; report++) {
        const share = WARM_SHARE + ((1 - WARM_SHARE) * report) / REPORTS;
        if (report === 1) await sleepUntil(startedAtMs + WARM_SHARE * (endsAtMs - startedAtMs));
        const memory = await readMemory(server.pid, logFile);
        memories.push(memory);
        const minutes = ((performance.now() - startedAtMs) / MINUTE_MS).toFixed(1);
        process.stdout.write(`  after ${minutes} min: ${licenses.length} licenses, ${JSON.stringify(memory)} MB\n`);
        await sleepUntil(startedAtMs + share * (endsAtMs - startedAtMs));
      }
      memories.push(await readMemory(server.pid, logFile));
    };
    await Promise.all([
      callSteadily(PER_SECOND.verifications, () => timed(tallies.verifications, () => verify(oneOf(licenses)))),
      callSteadily(PER_SECOND.registrations, () => timed(tallies.registrations, () => register(oneOf(buyers)))),
      watch(),
    ]);
    for (const [what, { durations, statuses }] of Object.entries(tallies)) {
      const times = [0.5, 0.99, 1].map((share) => percentile(durations, share));
      process.stdout.write(`  ${what}: ${JSON.stringify(statuses)}, p50, p99 and longest ${times.join(", ")} ms\n`);
    }

    for (const { statuses } of Object.values(tallies)) expect.soft(Object.keys(statuses)).toEqual(["200"]);
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(licenses.length);
    expect.soft(findFaults(readFileSync(logFile, "utf8")), "the server's log tells of no faults").toEqual([]);
    expect.soft(await findBrokenInvariants(getRuntime().db)).toEqual({});
    expect.soft(await verifyWallets(systemContext())).toMatchObject({ differences: [], lotDifferences: [] });
    const [warm, end] = [memories[0], memories.at(-1)];
    expect((end?.kept ?? 0) - (warm?.kept ?? 0), "MB that are kept").toBeLessThan(MAX_GROWTH_MB.kept);
    expect((end?.native ?? 0) - (warm?.native ?? 0), "MB outside the heap").toBeLessThan(MAX_GROWTH_MB.native);
  } finally {
    await server.stop();
    await receiver.close();
    rmSync(logs, { recursive: true, force: true });
  }
});

/** One interface reads the first, the other one the second. */
const credentials = ({ apiKey }: Reseller) => ({ authorization: `Bearer ${apiKey}`, "x-api-key": apiKey });

interface Owner {
  readonly reseller: Reseller;
}

type Buyer = Awaited<ReturnType<typeof newBuyer>>;

async function newBuyer(url: string) {
  const reseller = await newReseller(url, { funds: "900000" });
  return { reseller, product: await reseller.newProduct({ price: 100n }) };
}
