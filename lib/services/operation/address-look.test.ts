import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { planLicenseImport } from "#lib/services/license/plan-import.ts";
import { startLicenseImport } from "#lib/services/license/start-import.ts";
import { updateLicense } from "#lib/services/license/update.ts";
import { planRelocation } from "#lib/services/relocation/plan.ts";
import { startRelocation } from "#lib/services/relocation/start.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf, ip } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { buyBundle, occupy } from "#tests/support/server.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { MAX_ADDRESS_LOOKS_A_DAY } from "./address-look.ts";

let world: World;
/** Another reseller's, each with a control panel. */
let foreign: string[];

beforeAll(async () => {
  world = await newWorld();
  foreign = Array.from({ length: 4 }, () => world.freshIp());
  for (const address of foreign) await occupy(world, address, "control_panel");
});
afterAll(() => world.close());

const taken = () => ip(foreign[0] ?? "");
const asUser = (reseller: ResellerWorld) => world.context(actors.user(reseller.id));

async function setLooks(reseller: ResellerWorld, count: number, daysAgo = 0): Promise<void> {
  await world.db.query(
    sql(`insert into address_looks (reseller_id, day, count)
           values ($1, (clock_timestamp() at time zone 'UTC')::date - $3::int, $2)
           on conflict (reseller_id) do update set day = excluded.day, count = excluded.count`),
    [reseller.id, count, daysAgo],
  );
}

async function looksOf(reseller: ResellerWorld): Promise<number> {
  const [row] = await world.db.query(sql<{ count: number }>("select count from address_looks where reseller_id = $1"), [
    reseller.id,
  ]);
  return row?.count ?? 0;
}

const table = (addresses: readonly string[]) =>
  ["product,cycle,ip_address", ...addresses.map((address) => `control_panel,monthly,${address}`)].join("\n");

/** Every way to learn, for nothing, whether an address has a license of a product; the answer to it where one has. */
const looks: Record<string, { readonly refusal: string; run(reseller: ResellerWorld): Promise<unknown> }> = {
  "a refused registration": {
    refusal: "registration_address_taken",
    run: (reseller) => reseller.register({ ip: taken() }),
  },
  "a refused registration of a bundle": {
    refusal: "registration_address_taken",
    async run(reseller) {
      const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
      return registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: taken() });
    },
  },
  "a refused change of address": {
    refusal: "ip_change_address_taken",
    async run(reseller) {
      const { licenseId } = await reseller.register();
      return changeLicenseIp(reseller.context(), { licenseId, newIp: taken() });
    },
  },
  "a refused update": {
    refusal: "ip_change_address_taken",
    async run(reseller) {
      const { licenseKey } = await reseller.register();
      return updateLicense(reseller.context(), { licenseKey, ipAddress: taken() });
    },
  },
  "a refused change of a bundle's address": {
    refusal: "ip_change_address_taken",
    async run(reseller) {
      const { id } = await buyBundle(world, reseller, world.freshIp());
      return changeBundleIp(reseller.context(), { bundleInstanceId: id, newIp: taken() });
    },
  },
  "an import's plan": {
    refusal: "done",
    run: (reseller) => planLicenseImport(asUser(reseller), { text: table([taken()]) }),
  },
  "an import that is started": {
    refusal: "state_invalid",
    run: (reseller) =>
      startLicenseImport(asUser(reseller), {
        text: table([taken()]),
        agreedCount: 0,
        agreedTotal: 0n,
        privateMeant: false,
      }),
  },
  "a relocation's plan": {
    refusal: "done",
    async run(reseller) {
      const from = world.freshIp();
      await reseller.register({ ip: from });
      return planRelocation(asUser(reseller), { from, to: taken() });
    },
  },
  "a relocation that is started": {
    refusal: "ip_change_address_taken",
    async run(reseller) {
      const from = world.freshIp();
      await reseller.register({ ip: from });
      return startRelocation(asUser(reseller), { from, to: taken() });
    },
  },
};

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    ({ code }) => code as string,
  );

describe.each(Object.entries(looks))("contract 1.12: %s", (_, { refusal, run }) => {
  test("is a look, of which a reseller has 200 a day", async () => {
    const reseller = await world.reseller();
    expect(await outcomeOf(run(reseller))).toBe(refusal);
    expect(await looksOf(reseller)).toBe(1);
    await setLooks(reseller, MAX_ADDRESS_LOOKS_A_DAY);
    await expect(run(reseller)).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: expect.any(Number),
    });
    await setLooks(reseller, MAX_ADDRESS_LOOKS_A_DAY, 1);
    expect(await outcomeOf(run(reseller))).toBe(refusal);
    expect(await looksOf(reseller)).toBe(1);
  });
});

describe("contract 1.12: looks at addresses", () => {
  test("at once are let through exactly to the limit", async () => {
    const reseller = await world.reseller();
    await setLooks(reseller, MAX_ADDRESS_LOOKS_A_DAY - 3);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => codeOf(reseller.register({ ip: taken() }))));
    expect(outcomes.toSorted()).toEqual([
      ...Array(7).fill("rate_limited"),
      ...Array(3).fill("registration_address_taken"),
    ]);
  });

  test("in one plan count one for each address that another reseller has", async () => {
    const reseller = await world.reseller();
    const plan = await planLicenseImport(asUser(reseller), { text: table([...foreign, world.freshIp()]) });
    expect(plan.rows.filter(({ problems }) => problems.length > 0)).toHaveLength(4);
    expect(await looksOf(reseller)).toBe(4);
    await setLooks(reseller, MAX_ADDRESS_LOOKS_A_DAY - 3);
    expect(await codeOf(planLicenseImport(asUser(reseller), { text: table(foreign) }))).toBe("rate_limited");
  });

  test("of a reseller at its own licenses are none", async () => {
    const reseller = await world.reseller();
    const address = world.freshIp();
    await reseller.register({ ip: address });
    expect(await codeOf(reseller.register({ ip: address }))).toBe("registration_address_taken");
    expect(await looksOf(reseller)).toBe(0);
    const { rows } = await planLicenseImport(asUser(reseller), { text: table([address]) });
    expect(rows[0]?.problems).toHaveLength(1);
    expect(await looksOf(reseller)).toBe(1);
  });

  test("of admins are none, and no reseller's looks limit them", async () => {
    const reseller = await world.reseller();
    await setLooks(reseller, MAX_ADDRESS_LOOKS_A_DAY);
    const order = { ip: taken(), agreedPrice: 1450n };
    expect(await codeOf(reseller.register(order, { actor: actors.admin(reseller.id) }))).toBe(
      "registration_address_taken",
    );
  });

  test("used up, keep nobody from what is paid for", async () => {
    const reseller = await world.reseller();
    await setLooks(reseller, MAX_ADDRESS_LOOKS_A_DAY);
    expect((await reseller.register()).pending).toBe(false);
  });

  test("used up, make a change to a free address and to a taken one look the same", async () => {
    const reseller = await world.reseller();
    const { licenseId } = await reseller.register();
    await setLooks(reseller, MAX_ADDRESS_LOOKS_A_DAY);
    const change = (ctx: ServiceContext, newIp: string) => changeLicenseIp(ctx, { licenseId, newIp: ip(newIp) });
    for (const address of [taken(), world.freshIp()]) {
      expect(await codeOf(change(reseller.context(), address))).toBe("rate_limited");
    }
    // A relocation's plan was a look, so what it does is not refused half way.
    await change(reseller.context({ requestId: "bulk:1" }), world.freshIp());
  });

  test("end at the database's midnight in UTC, which Retry-After says", async () => {
    const reseller = await world.reseller();
    await setLooks(reseller, MAX_ADDRESS_LOOKS_A_DAY);
    const [row] = await world.db.query(
      sql<{ seconds: number }>(
        `select extract(epoch from date_trunc('day', clock_timestamp(), 'UTC') + interval '1 day' - clock_timestamp())::int as seconds`,
      ),
      [],
    );
    const error = await reseller.register({ ip: taken() }).catch((refusal) => refusal);
    expect(Math.abs(error.retryAfterSeconds - (row?.seconds ?? 0))).toBeLessThanOrEqual(5);
  });
});

test("contract 1.12: every service that asks who has an address counts the look", () => {
  const dbDir = join(import.meta.dirname, "..", "..", "db");
  const sources = (dir: string) =>
    readdirSync(dir, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.includes("generated"))
      .map((file) => ({ file, text: readFileSync(join(dir, file), "utf8") }));
  /** Exported functions whose statement reads the claims, or fails because of them. */
  const revealing = sources(dbDir).flatMap(({ text }) => {
    const parts = text.split(/^(?=export async function|const )/m);
    const statements = parts
      .filter((part) => /join address_claims|from address_claims|hold_operation\(/.test(part))
      .flatMap((part) => /^const (\w+) = statement/.exec(part)?.[1] ?? []);
    return parts
      .filter((part) => statements.some((name) => new RegExp(`\\b${name}\\b`).test(part)))
      .flatMap((part) => /^export async function (\w+)/.exec(part)?.[1] ?? []);
  });
  expect(revealing.toSorted()).toEqual(["hasForeignClaim", "holdOperation", "listClashingLicenses", "listTakenPlaces"]);
  const callers = sources(join(import.meta.dirname, "..")).filter(({ text }) =>
    revealing.some((name) => new RegExp(`\\b${name}\\(`).test(text)),
  );
  expect(callers.length).toBeGreaterThanOrEqual(3);
  for (const { file, text } of callers) expect(text, file).toMatch(/takeAddressLooks?\(|countRefusedLook\(/);
});
