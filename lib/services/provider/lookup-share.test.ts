/** Two resellers of a License Desk that resells another one: both are one customer there (contract 1.12). */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listProviderHealth } from "#lib/db/provider/health.ts";
import { seedCatalog } from "#lib/seed/catalog.ts";
import { importFromProvider } from "#lib/services/catalog/import-from-provider.ts";
import { sql } from "#tests/sql.ts";
import { type Account, type Desk, newDesk } from "#tests/support/desk.ts";
import { createProvider } from "./create.ts";

const SHARE = 100;
const DAY_MS = 86_400_000;
/** Lookups count per UTC day, and the tests continue each other's counts. */
const LASTS_MS = 60_000;
/** Where a competitor, another customer of the upstream, has a license. */
const taken = Array.from({ length: 60 }, (_, index) => `198.18.21.${index + 1}`);
const [TAKEN = ""] = taken;

let upstream: Desk;
let desk: Desk;
let ours: Account;
let greedy: Account;
let other: Account;
let addresses = 1;

const freshIp = () => `198.18.20.${++addresses}`;

beforeAll(async () => {
  const restOfDayMs = DAY_MS - (Date.now() % DAY_MS);
  if (restOfDayMs < LASTS_MS) await sleep(restOfDayMs + 100);
  [upstream, desk] = await Promise.all([newDesk({ timeoutMs: 5_000 }), newDesk({ timeoutMs: 10_000 })]);
  await seedCatalog(upstream.db);
  await Promise.all([upstream.start(), desk.start()]);
  ours = await upstream.account();
  const competitor = await upstream.account();
  [greedy, other] = [await desk.account({ funds: "5000" }), await desk.account()];
  const { apiKey, signingSecret } = ours;
  await createProvider(desk.operator(), { name: "upstream", baseUrl: upstream.baseUrl, apiKey, signingSecret });
  const markup = { percent: "20", fixed: "0", rounding: "none", dryRun: false } as const;
  await importFromProvider(desk.operator(), { provider: "upstream", ...markup });
  const occupied = await Promise.all(taken.map((address) => register(upstream, competitor, address)));
  expect(occupied.map(({ status }) => status)).toEqual(taken.map(() => 200));
}, 60_000 + LASTS_MS);
afterAll(() => Promise.all([upstream.close(), desk.close()]));

const call = (account: Account, operation: string, fields: Record<string, string | number>) =>
  desk.call(account, { target: `?endpoint=${operation}`, fields });

async function register(at: Desk, account: Account, ip_address: string, more: Record<string, string> = {}) {
  const { body } = await at.call(account, { method: "GET", target: "?endpoint=products" });
  const product = body.data.products.find(({ type }: { type: string }) => type === "control_panel");
  const fields = { product_id: product.product_id, cycle_id: product.cycles[0].cycle_id, ip_address, ...more };
  return at.call(account, { target: "?endpoint=license.register", fields });
}

async function lookupsUpstream(): Promise<number> {
  const statement = sql<{ count: number }>("select count from address_lookups where reseller_id = $1");
  return (await upstream.db.query(statement, [ours.resellerId]))[0]?.count ?? 0;
}

const codes = (replies: readonly { body: { code?: string } }[]) =>
  Object.entries(Object.groupBy(replies, ({ body }) => body.code ?? "done")).map(([code, all]) => [code, all?.length]);

const health = async () => (await listProviderHealth(desk.db))[0]?.lastFailure ?? "";

describe("the address lookups of an upstream License Desk", () => {
  let held: number;

  test("a reseller uses up half of them at most, however many requests it sends at once", async () => {
    held = (await register(desk, greedy, freshIp())).body.data.license_id;
    const replies = [];
    for (let sent = 0; sent < 3; sent++) {
      replies.push(...(await Promise.all(taken.map((address) => register(desk, greedy, address)))));
    }
    expect(codes(replies).toSorted()).toEqual([
      ["RATE_LIMITED", 180 - SHARE],
      ["REGISTRATION_FAILED", SHARE],
    ]);
    expect(await lookupsUpstream()).toBe(SHARE);
    expect(await health()).not.toContain("address lookups");
  });

  test("whoever has used up its share is refused at free and taken addresses, before anything is sent or held", async () => {
    for (const address of [TAKEN, freshIp()]) {
      for (const refused of [
        await register(desk, greedy, address),
        await register(desk, greedy, address, { dry_run: "true" }),
        await call(greedy, "license.change_ip", { license_id: held, new_ip: address }),
      ]) {
        expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
        expect(refused.body.message).toMatch(
          /^Your share of today's address lookups at this provider is used up: 100 /,
        );
      }
    }
    expect((await call(greedy, "license.renew", { license_id: held })).status).toBe(200);
    expect(await lookupsUpstream()).toBe(SHARE);
    const { body } = await desk.call(greedy, { method: "GET", target: "?endpoint=balance" });
    expect(body.data.pending_transactions).toBe(0);
  });

  test("another reseller registers and moves licenses, and has half of the rest", async () => {
    const { status, body } = await register(desk, other, freshIp());
    expect(status).toBe(200);
    const { license_id } = body.data;
    expect((await call(other, "license.change_ip", { license_id, new_ip: freshIp() })).status).toBe(200);
    const replies = [];
    for (let sent = 0; sent < 52; sent++) {
      replies.push(await call(other, "license.change_ip", { license_id, new_ip: TAKEN }));
    }
    expect(codes(replies)).toEqual([
      ["IP_CHANGE_FAILED", 50],
      ["RATE_LIMITED", 2],
    ]);
    expect(await lookupsUpstream()).toBe(150);
    await expect
      .poll(health)
      .toBe(`150 of today's 200 address lookups are used up, 50 of them by reseller ${other.resellerId}.`);
  });

  test("the renewal of an expired license whose address is taken there counts", async () => {
    const third = await desk.account();
    const { body } = await register(desk, third, freshIp());
    const { license_id } = body.data;
    const ended = sql(
      `update licenses set anchored_at = now() - interval '2 days', expires_at = now() - interval '1 day', ip_address = $2
        where id = $1`,
    );
    await desk.db.query(ended, [license_id, TAKEN]);
    const [row] = await desk.db.query(
      sql<{ id: string }>("select provider_reference as id from licenses where id = $1"),
      [license_id],
    );
    await upstream.db.query(ended, [Number(row?.id), TAKEN]);
    const before = await lookupsUpstream();
    const replies = [];
    for (let sent = 0; sent < 27; sent++) replies.push(await call(third, "license.renew", { license_id }));
    expect(codes(replies)).toEqual([
      ["PROVIDER_REJECTED", 25],
      ["RATE_LIMITED", 2],
    ]);
    expect(await lookupsUpstream()).toBe(before + 25);
  });
});
