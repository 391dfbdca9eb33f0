import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "#lib/db/connection/client.ts";
import { today } from "#lib/db/operation/address-lookup.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { setApiKeySpendingLimit } from "#lib/services/api-key/set-spending-limit.ts";
import { listBulkItems } from "#lib/services/bulk/list-items.ts";
import { runBulkJob } from "#lib/services/bulk/run.ts";
import { type AddressMove, startAddressChanges } from "#lib/services/bulk/start-address-changes.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { planLicenseImport } from "#lib/services/license/plan-import.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { startLicenseImport } from "#lib/services/license/start-import.ts";
import { updateLicense } from "#lib/services/license/update.ts";
import { planRelocation } from "#lib/services/relocation/plan.ts";
import { startRelocation } from "#lib/services/relocation/start.ts";
import { setResellerSuspended } from "#lib/services/reseller/settings.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf, ip } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { buyBundle, occupy } from "#tests/support/server.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { MAX_ADDRESS_LOOKUPS_PER_DAY } from "./address-lookup.ts";
import { previewCharge } from "./preview-charge.ts";

let world: World;
/** Addresses with another reseller's control panel. */
let foreign: string[];

beforeAll(async () => {
  world = await newWorld({ start: new Date() });
  foreign = Array.from({ length: 4 }, () => world.freshIp());
  for (const address of foreign) await occupy(world, address, "control_panel");
});
afterAll(() => world.close());

const taken = () => ip(foreign[0] ?? "");
const asUser = (reseller: ResellerWorld) => world.context(actors.user(reseller.id));

async function setLookupCount(reseller: ResellerWorld, count: number, daysAgo = 0): Promise<void> {
  await world.db.query(
    sql(`insert into address_lookups (reseller_id, day, count)
           values ($1, (clock_timestamp() at time zone 'UTC')::date - $3::int, $2)
           on conflict (reseller_id) do update set day = excluded.day, count = excluded.count`),
    [reseller.id, count, daysAgo],
  );
}

async function lookupCountOf(reseller: ResellerWorld): Promise<number> {
  const [row] = await world.db.query(
    sql<{ count: number }>("select count from address_lookups where reseller_id = $1"),
    [reseller.id],
  );
  return row?.count ?? 0;
}

const table = (addresses: readonly string[]) =>
  ["product,cycle,ip_address", ...addresses.map((address) => `control_panel,monthly,${address}`)].join("\n");

/** Every free way to learn that an address has a license, and its answer when the address has one. */
const lookups: Record<string, { readonly answer: string; run(reseller: ResellerWorld): Promise<unknown> }> = {
  "a rejected registration": {
    answer: "registration_address_taken",
    run: (reseller) => reseller.register({ ip: taken() }),
  },
  "a rejected registration of a bundle": {
    answer: "registration_address_taken",
    async run(reseller) {
      const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
      return registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: taken() });
    },
  },
  "a rejected dry run of a registration": {
    answer: "registration_address_taken",
    run: (reseller) => previewCharge(reseller.context(), (ctx) => reseller.register({ ip: taken() }, ctx)),
  },
  "a rejected dry run of a bundle's registration": {
    answer: "registration_address_taken",
    async run(reseller) {
      const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
      const order = { bundleId, cycleId, ipAddress: taken() };
      return previewCharge(reseller.context(), (ctx) => registerBundle(ctx, order));
    },
  },
  "a rejected change of IP": {
    answer: "ip_change_address_taken",
    async run(reseller) {
      const { licenseId } = await reseller.register();
      return changeLicenseIp(reseller.context(), { licenseId, newIp: taken() });
    },
  },
  "a rejected update": {
    answer: "ip_change_address_taken",
    async run(reseller) {
      const { licenseKey } = await reseller.register();
      return updateLicense(reseller.context(), { licenseKey, ipAddress: taken() });
    },
  },
  "a rejected change of a bundle's IP": {
    answer: "ip_change_address_taken",
    async run(reseller) {
      const { id } = await buyBundle(world, reseller, world.freshIp());
      return changeBundleIp(reseller.context(), { bundleInstanceId: id, newIp: taken() });
    },
  },
  "an import's plan": {
    answer: "done",
    run: (reseller) => planLicenseImport(asUser(reseller), { text: table([taken()]) }),
  },
  "starting an import": {
    answer: "state_invalid",
    run: (reseller) =>
      startLicenseImport(asUser(reseller), {
        text: table([taken()]),
        agreedCount: 0,
        agreedTotal: 0n,
        allowPrivateAddresses: false,
      }),
  },
  "a relocation's plan": {
    answer: "done",
    async run(reseller) {
      const from = world.freshIp();
      await reseller.register({ ip: from });
      return planRelocation(asUser(reseller), { from, to: taken() });
    },
  },
  "starting a relocation": {
    answer: "ip_change_address_taken",
    async run(reseller) {
      const from = world.freshIp();
      await reseller.register({ ip: from });
      return startRelocation(asUser(reseller), { from, to: taken() });
    },
  },
};

/** Registers by a key that may spend 1.00 a month. */
async function registerWithLimit(reseller: ResellerWorld) {
  const user = asUser(reseller);
  const { apiKeyId } = await createResellerApiKey(user, { name: "shop", scopes: ["licenses:write"] });
  await setApiKeySpendingLimit(user, { apiKeyId, limit: "1" });
  const actor = {
    kind: "api_key" as const,
    apiKeyId,
    firstKeyId: apiKeyId,
    resellerId: reseller.id,
    scopes: new Set(["licenses:write"] as const),
    licenseId: null,
    spendingKeyId: apiKeyId,
  };
  return (address: LicenseAddress) => reseller.register({ ip: address }, { actor });
}

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    ({ code }) => code as string,
  );

describe.each(Object.entries(lookups))("contract 1.12: %s", (_, { answer, run }) => {
  test("counts as one of 200 address lookups a day", async () => {
    const reseller = await world.reseller();
    expect(await outcomeOf(run(reseller))).toBe(answer);
    expect(await lookupCountOf(reseller)).toBe(1);
    await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY);
    await expect(run(reseller)).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: expect.any(Number),
    });
    await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY, 1);
    expect(await outcomeOf(run(reseller))).toBe(answer);
    expect(await lookupCountOf(reseller)).toBe(1);
  });
});

describe("contract 1.12: address lookups", () => {
  test("concurrent lookups stop exactly at the limit", async () => {
    const reseller = await world.reseller();
    await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY - 3);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => codeOf(reseller.register({ ip: taken() }))));
    expect(outcomes.toSorted()).toEqual([
      ...Array(7).fill("rate_limited"),
      ...Array(3).fill("registration_address_taken"),
    ]);
  });

  test("a license that expires between a change and its rejection counts", async () => {
    const reseller = await world.reseller();
    const address = world.freshIp();
    await occupy(world, address, "control_panel");
    await world.db.query(
      sql(`update address_claims set valid_from = clock_timestamp() - interval '1 hour',
                  valid_until = clock_timestamp() - interval '30 seconds' where ip_address = $1`),
      [address],
    );
    const now = () => new Date(Date.now() - 60_000);
    expect(await codeOf(reseller.register({ ip: ip(address) }, { now }))).toBe("registration_address_taken");
    expect(await lookupCountOf(reseller)).toBe(1);
  });

  test("a plan counts one for each address that another reseller has", async () => {
    const reseller = await world.reseller();
    const plan = await planLicenseImport(asUser(reseller), { text: table([...foreign, world.freshIp()]) });
    expect(plan.rows.filter(({ problems }) => problems.length > 0)).toHaveLength(4);
    expect(await lookupCountOf(reseller)).toBe(4);
    await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY - 3);
    expect(await codeOf(planLicenseImport(asUser(reseller), { text: table(foreign) }))).toBe("rate_limited");
  });

  test("a reseller's own licenses do not count", async () => {
    const reseller = await world.reseller();
    const address = world.freshIp();
    await reseller.register({ ip: address });
    expect(await codeOf(reseller.register({ ip: address }))).toBe("registration_address_taken");
    expect(await lookupCountOf(reseller)).toBe(0);
    const { rows } = await planLicenseImport(asUser(reseller), { text: table([address]) });
    expect(rows[0]?.problems).toHaveLength(1);
    expect(await lookupCountOf(reseller)).toBe(1);
  });

  test("admins have no limit", async () => {
    const reseller = await world.reseller();
    await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY);
    const order = { ip: taken(), agreedPrice: 1450n };
    expect(await codeOf(reseller.register(order, { actor: actors.admin(reseller.id) }))).toBe(
      "registration_address_taken",
    );
  });

  test("an exhausted count does not prevent a paid registration", async () => {
    const reseller = await world.reseller();
    await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY);
    expect((await reseller.register()).pending).toBe(false);
  });

  test("an exhausted count rejects changes to free and taken addresses alike", async () => {
    const reseller = await world.reseller();
    const { licenseId } = await reseller.register();
    await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY);
    const change = (ctx: ServiceContext, newIp: string) => changeLicenseIp(ctx, { licenseId, newIp: ip(newIp) });
    for (const address of [taken(), world.freshIp()]) {
      expect(await codeOf(change(reseller.context(), address))).toBe("rate_limited");
    }
  });

  test("an exhausted count rejects each change of a job to free and taken addresses alike", async () => {
    const reseller = await world.reseller();
    const to = [taken(), ip(world.freshIp())];
    const moves: AddressMove[] = [];
    for (const one of to) {
      const from = world.freshIp();
      moves.push({ licenseId: (await reseller.register({ ip: from })).licenseId, from, to: one });
    }
    const { jobId } = await startAddressChanges(asUser(reseller), { moves });
    await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY);
    await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
    const { items } = await listBulkItems(asUser(reseller), { jobId, after: 0, limit: 100 });
    expect(items.map(({ state, errorCode }) => [state, errorCode])).toEqual(Array(2).fill(["failed", "rate_limited"]));
  });

  test("an exhausted count does not stop a started relocation: its plan was counted", async () => {
    const reseller = await world.reseller();
    const [from, to] = [ip(world.freshIp()), ip(world.freshIp())];
    const { licenseId } = await reseller.register({ ip: from });
    const jobId = await startRelocation(asUser(reseller), { from, to });
    await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY);
    await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
    expect((await reseller.license(licenseId)).ipAddress).toBe(to);
  });

  test.each([0, MAX_ADDRESS_LOOKUPS_PER_DAY])(
    "a relocation's refused moves are not counted again, and have their reason: with %i counted",
    async (count) => {
      const reseller = await world.reseller();
      const [from, to] = [ip(world.freshIp()), ip(world.freshIp())];
      await reseller.register({ ip: from });
      const jobId = await startRelocation(asUser(reseller), { from, to });
      await occupy(world, to, "control_panel");
      await setLookupCount(reseller, count);
      await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
      const { items } = await listBulkItems(asUser(reseller), { jobId, after: 0, limit: 10 });
      expect(items.map(({ errorCode }) => errorCode)).toEqual(["ip_change_address_taken"]);
      expect(await lookupCountOf(reseller)).toBe(count);
    },
  );

  test("a relocation is reverted although its refused move has used up the reseller's share at the provider", async () => {
    const reseller = await world.reseller();
    const [from, to] = [ip(world.freshIp()), ip(world.freshIp())];
    const first = await reseller.register({ ip: from });
    await reseller.register({ ip: from, type: "web_server" });
    const { name } = world.provider;
    await world.db.query(
      sql(`insert into provider_lookups (reseller_id, provider, day, count, under_way)
             values ($1, $2, (clock_timestamp() at time zone 'UTC')::date, 99, 0)`),
      [reseller.id, name],
    );
    const moves: string[] = [];
    const execute: typeof world.provider.execute = async (request, maySend) => {
      moves.push(request.ipAddress);
      if (moves.length === 2) return { kind: "rejected", message: "No.", refusesAddress: true };
      return world.provider.execute(request, maySend);
    };
    const providers = new Map([[name, { ...world.provider, execute, addressLookupLimit: 200 }]]);
    const jobId = await startRelocation(asUser(reseller), { from, to });
    await runBulkJob({ ...world.operator, providers }, { jobId, turnMs: 60_000 });
    expect(moves).toEqual([to, to, from]);
    expect((await reseller.license(first.licenseId)).ipAddress).toBe(from);
    const change = changeLicenseIp({ ...reseller.context(), providers }, { licenseId: first.licenseId, newIp: to });
    expect(await codeOf(change)).toBe("rate_limited");
  });

  test("an exhausted count answers who cannot pay alike at free and taken addresses", async () => {
    const poor = await world.reseller({ funds: "4.50" });
    const capped = await world.reseller();
    const suspended = await world.reseller();
    const { bundleId, cycleId } = await world.bundleOffer(poor.id);
    const orders: [ResellerWorld, string, (ipAddress: LicenseAddress) => Promise<unknown>][] = [
      [poor, "insufficient_balance", (address) => poor.register({ ip: address })],
      [poor, "insufficient_balance", (ipAddress) => registerBundle(poor.context(), { bundleId, cycleId, ipAddress })],
      [capped, "spending_limit_reached", await registerWithLimit(capped)],
      [suspended, "reseller_suspended", (address) => suspended.register({ ip: address })],
    ];
    await setResellerSuspended(world.operator, { resellerId: suspended.id, suspended: true, reason: "Unpaid" });
    for (const [reseller, answer, order] of orders) {
      await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY - 1);
      expect(await codeOf(order(taken()))).toBe("registration_address_taken");
      for (const address of [taken(), ip(world.freshIp())]) expect(await codeOf(order(address))).toBe(answer);
      expect(await lookupCountOf(reseller)).toBe(MAX_ADDRESS_LOOKUPS_PER_DAY);
      expect(await reseller.wallet()).toMatchObject({ held: 0n });
    }
  });

  test("an exhausted count rejects registrations that cost nothing, at free and taken addresses alike", async () => {
    const reseller = await world.reseller();
    const { cycleId } = await world.offer(reseller.id, "control_panel");
    const gift = "insert into prices (cycle_id, reseller_id, currency, price, setup_fee) values ($1, $2, 'USD', 0, 0)";
    await world.db.query(sql(gift), [cycleId, reseller.id]);
    expect(await reseller.register()).toMatchObject({ balanceAfter: 100_000n });
    await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY);
    for (const address of [taken(), world.freshIp()]) {
      expect(await codeOf(reseller.register({ ip: address }))).toBe("rate_limited");
    }
  });

  test("an exhausted count rejects dry runs for free and taken addresses alike, but none without an address", async () => {
    const reseller = await world.reseller();
    const { licenseId } = await reseller.register({ type: "web_server" });
    const register = (address: string) =>
      previewCharge(reseller.context(), (ctx) => reseller.register({ ip: address }, ctx));
    const free = world.freshIp();
    expect(await register(free)).toMatchObject({ price: 1450n });
    await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY);
    for (const address of [taken(), free]) expect(await codeOf(register(address))).toBe("rate_limited");
    const cores = previewCharge(reseller.context(), (ctx) => changeLicenseCores(ctx, { licenseId, cores: 2 }));
    expect((await cores).price).toBeGreaterThan(0n);
  });

  test.each([
    ["an address that the provider refuses", { refusesAddress: true }, 1, "address_taken"],
    ["another refusal of the provider", {}, 0, "rejected"],
    ["trouble with our account there", { accountProblem: "NO_PERMISSION" }, 0, "rejected"],
  ])("%s counts as it reveals; beyond the limit, what was sent keeps its answer", async (_, detail, count, refusal) => {
    const reseller = await world.reseller();
    const { licenseId } = await reseller.register();
    const execute = async () => ({ kind: "rejected", message: "No.", ...detail }) as const;
    const ctx = {
      ...reseller.context(),
      providers: new Map([[world.provider.name, { ...world.provider, execute }]]),
    };
    const change = () => changeLicenseIp(ctx, { licenseId, newIp: ip(world.freshIp()) });
    const { productId, cycleId } = await world.offer(reseller.id, "web_server");
    const register = () => registerLicense(ctx, { productId, cycleId, ipAddress: ip(world.freshIp()) });
    expect(await codeOf(change())).toBe(`ip_change_${refusal}`);
    expect(await codeOf(register())).toBe(`registration_${refusal}`);
    expect(await lookupCountOf(reseller)).toBe(2 * count);
    await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY);
    expect(await codeOf(register())).toBe(`registration_${refusal}`);
    expect(await lookupCountOf(reseller)).toBe(MAX_ADDRESS_LOOKUPS_PER_DAY);
    expect(await codeOf(change())).toBe("rate_limited");
    expect(await reseller.wallet()).toMatchObject({ held: 0n });
  });

  test("the count resets at midnight UTC by the database's clock, as Retry-After says", async () => {
    const reseller = await world.reseller();
    await setLookupCount(reseller, MAX_ADDRESS_LOOKUPS_PER_DAY);
    const [row] = await world.db.query(
      sql<{ seconds: number }>(
        `select extract(epoch from date_trunc('day', clock_timestamp(), 'UTC') + interval '1 day' - clock_timestamp())::int as seconds`,
      ),
      [],
    );
    const error = await reseller.register({ ip: taken() }).catch((refusal) => refusal);
    expect(Math.abs(error.retryAfterSeconds - (row?.seconds ?? 0))).toBeLessThanOrEqual(5);
  });

  test("midnight UTC is as far away in a session of another time zone, also on days of 23 and 25 hours", async () => {
    const db = openDatabase({ url: world.url, poolSize: 1 });
    await db.query(sql("set timezone = 'America/New_York'"), []);
    const atTime = today.replaceAll("clock_timestamp()", "$1::timestamptz");
    try {
      for (const day of ["2027-03-14", "2027-11-07"]) {
        const [row] = await db.query(sql<{ seconds: number }>(atTime), [`${day}T23:59:00Z`]);
        expect(row?.seconds).toBe(60);
      }
    } finally {
      await db.close();
    }
  });
});

test("contract 1.12: every service that reveals who has an address counts an address lookup", () => {
  const dbDir = join(import.meta.dirname, "..", "..", "db");
  const sources = (dir: string) =>
    readdirSync(dir, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.includes("generated"))
      .map((file) => ({ file, text: readFileSync(join(dir, file), "utf8") }));
  /** Exported functions whose statement reads the claims, or fails because of them. */
  const revealing = sources(dbDir).flatMap(({ text }) => {
    const parts = text.split(/^(?=(?:export )?(?:async function|const ))/m);
    const statements = parts
      .filter((part) => /join address_claims|from address_claims|hold_operations?\(/.test(part))
      .flatMap((part) => /^const (\w+) = statement/.exec(part)?.[1] ?? []);
    const usersOf = (names: readonly string[]) =>
      parts.filter((part) => names.some((name) => new RegExp(`\\b${name}\\b`).test(part)));
    const helpers = usersOf(statements).flatMap((part) => /^async function (\w+)/.exec(part)?.[1] ?? []);
    const batches = usersOf(helpers).flatMap((part) => /^const (\w+) = batchPerDatabase/.exec(part)?.[1] ?? []);
    const declared = parts
      .filter((part) => /join address_claims|from address_claims/.test(part))
      .flatMap((part) => /^export const (\w+) = define/.exec(part)?.[1] ?? []);
    const users = usersOf([...statements, ...helpers, ...batches]).flatMap(
      (part) => /^export async function (\w+)/.exec(part)?.[1] ?? [],
    );
    return [...declared, ...users];
  });
  expect(revealing.toSorted()).toEqual(["findClaimHolder", "holdOperation", "listClashingLicenses", "listTakenPlaces"]);
  const callers = sources(join(import.meta.dirname, "..")).filter(({ text }) =>
    revealing.some((name) => new RegExp(`\\b${name}\\(`).test(text)),
  );
  expect(callers.length).toBeGreaterThanOrEqual(3);
  for (const { file, text } of callers) expect(text, file).toMatch(/countAddressLookups?\(|rethrowRejectedHold\(/);
});
