import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listCatalogProducts } from "#lib/services/catalog/list-catalog.ts";
import { setPrice } from "#lib/services/catalog/set-price.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { planLicenseImport } from "#lib/services/license/plan-import.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { listProviders } from "#lib/services/provider/list.ts";
import { detectDrift } from "#lib/services/reconciliation/detect-drift.ts";
import { planRelocation } from "#lib/services/relocation/plan.ts";
import { listResellers } from "#lib/services/reseller/list.ts";
import { createUser } from "#lib/services/user/create.ts";
import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { requestTopUp } from "#lib/services/wallet/request-top-up.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { loadStatements } from "#tests/support/all-statements.ts";
import { codeOf, ip } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf, userOf } from "#tests/support/sandbox.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { addPlayMoney } from "./add-play-money.ts";
import { advanceLicense } from "./advance.ts";
import { getRehearsal, setRehearsal } from "./rehearsal.ts";
import { resetSandbox } from "./reset.ts";

let world: World;
let live: ResellerWorld;
let sandbox: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  live = await world.reseller();
  sandbox = await sandboxOf(world, live);
});
afterAll(() => world.close());

const user = (reseller: ResellerWorld) => userOf(world, reseller);
async function rows<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
  return world.db.query(sql<Row & Record<string, unknown>>(text), values) as Promise<Row[]>;
}

describe("test and live rows never mix: the database refuses", () => {
  const key = (reseller: number, mode: string) =>
    `insert into api_keys (reseller_id, name, secret_hash, hint) values (${reseller}, 'x', 'x${mode}${reseller}', 'lk_${mode}_ab…wxyz')`;
  const operation = (reseller: number, provider: string) => `
    insert into operations (id, kind, state, reseller_id, hold_amount, price, currency, plan, actor, request_id, lease_token, created_at, settled_at)
    values (gen_random_uuid(), 'license_renew', 'rejected', ${reseller}, 0, 0, 'USD', '{"provider": "${provider}"}', 'x', 'x', gen_random_uuid(), now(), now())`;
  const liveOnly: Record<string, (reseller: number) => string> = {
    users: (reseller) =>
      `insert into users (email, name, password_hash, role, reseller_id) values ('x${reseller}@example.com', 'x', 'x${reseller}', 'owner', ${reseller})`,
    prices: (reseller) =>
      `insert into prices (cycle_id, reseller_id, currency, price) select id, ${reseller}, 'USD', 1 from billing_cycles limit 1`,
    top_up_requests: (reseller) =>
      `insert into top_up_requests (reseller_id, amount, reference, requested_by, created_at) values (${reseller}, 1, 'x', 'x', now())`,
  };
  const move = (table: string, { id: from }: ResellerWorld, { id: to }: ResellerWorld) =>
    `update ${table} set reseller_id = ${to} where reseller_id = ${from}`;
  const session = (acting: string) =>
    `insert into sessions (id, user_id, expires_at, idle_at, acting_as_reseller_id, acting_until)
     select gen_random_uuid(), max(id), now(), now(), ${acting} from users`;

  async function refuses(...statements: string[]): Promise<void> {
    const last = statements.pop() ?? "";
    for (const text of statements) await rows(text);
    await expect(rows(last)).rejects.toMatchObject({ code: "LD011" });
  }

  test.each(Object.entries(liveOnly))("rows of %s of a sandbox, new or moved there", async (table, insert) => {
    await refuses(insert(sandbox.id));
    await refuses(insert(live.id), move(table, live, sandbox));
  });

  test("a live key of a sandbox, new or moved there", async () => {
    await refuses(key(sandbox.id, "live"));
    await refuses(key(live.id, "live"), move("api_keys", live, sandbox));
  });

  test("a test key of a live reseller, new or once live", async () => {
    await refuses(key(live.id, "test"));
    await refuses(key(live.id, "live"), `update api_keys set hint = 'lk_test_ab…wxyz' where reseller_id = ${live.id}`);
  });

  test("an operation at a provider of the other mode, new or moved there", async () => {
    await refuses(operation(sandbox.id, "sandbox"));
    await refuses(operation(live.id, "test mode"));
    await refuses(operation(live.id, "sandbox"), move("operations", live, sandbox));
  });

  test("an admin who acts as a sandbox, at once or later", async () => {
    const acting = `${sandbox.id}, now()`;
    await refuses(liveOnly.users?.(live.id) ?? "", session(acting));
    await refuses(session("null, null"), `update sessions set (acting_as_reseller_id, acting_until) = (${acting})`);
  });

  test("a sandbox that becomes live, a live reseller that becomes a sandbox, and a sandbox of a sandbox", async () => {
    await refuses(`update resellers set sandbox_of = null where id = ${sandbox.id}`);
    await refuses(`update resellers set sandbox_of = ${sandbox.id} where id = ${live.id}`);
    await refuses(
      `insert into resellers (name, email, currency, sandbox_of) values ('x', 'x@example.com', 'USD', ${sandbox.id})`,
    );
  });

  test("a second open sandbox", async () => {
    const again = `insert into resellers (name, email, currency, sandbox_of) values ('x', 'x@example.com', 'USD', ${live.id})`;
    await expect(rows(again)).rejects.toMatchObject({ code: "23505" });
  });

  test("no foreign key leads from one reseller to another's row", async () => {
    await sandbox.register();
    await live.register();
    const keys = await rows<{ child: string; parent: string; column: string; target: string }>(`
      select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent, a.attname as "column", t.attname as target
        from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        join pg_attribute t on t.attrelid = c.confrelid and t.attnum = c.confkey[1]
        join pg_attribute r on r.attrelid = c.conrelid and r.attname = 'reseller_id'
        join pg_attribute o on o.attrelid = c.confrelid and o.attname = 'reseller_id'
       where c.contype = 'f' and not r.attnum = any (c.conkey)`);
    // All others include the reseller. A user's view may be of the sandbox's list, by design.
    expect(keys.map(({ child, column }) => `${child}.${column}`).toSorted()).toEqual([
      "api_keys.successor_id",
      "saved_views.user_id",
      "webhook_deliveries.endpoint_id",
      "webhook_deliveries.event_id",
    ]);
    for (const { child, parent, column, target } of keys) {
      const mixed = `select from ${child} c join ${parent} p on p.${target} = c.${column} where p.reseller_id <> c.reseller_id`;
      expect(await rows(mixed), `${child}.${column}`).toEqual([]);
    }
  });
});

describe("live and test addresses do not meet, and every statement keeps them apart", () => {
  test("plans of imports and relocations", async () => {
    const [from, to] = [world.freshIp(), world.freshIp()];
    for (const [here, there] of [
      [live, sandbox],
      [sandbox, live],
    ] as const) {
      const blocking = await there.register({ ip: to });
      const moving = await here.register({ ip: from });
      const { units } = await planRelocation(user(here), { from: ip(from), to: ip(to) });
      expect(units).toMatchObject([{ obstacle: null }]);
      const { productId, cycleId } = await world.offer(here.id, "control_panel");
      const text = `product,cycle,ip_address\n${productId},${cycleId},${to}\n`;
      expect((await planLicenseImport(user(here), { text })).rows).toMatchObject([{ problems: [] }]);
      await terminateLicense(user(there), blocking);
      await terminateLicense(user(here), moving);
    }
  });

  test("statements and functions that read or write claims", async () => {
    const functions = globSync("prisma/sql/functions/*.sql").map((path) => readFileSync(path, "utf8"));
    const texts = [...(await loadStatements()).map(({ text }) => text), ...functions];
    const claims = texts.flatMap((text) =>
      [...text.matchAll(/(?<!delete )(?:from|join|into) address_claims[^;]*/g)].map(String),
    );
    expect(claims).toHaveLength(6);
    for (const claim of claims) expect(claim).toMatch(/sandbox_id(?: = |,[^;]*)sandbox_of\(/s);
  });
});

describe("live services refuse a sandbox with a clear error", () => {
  const person = { name: "A", email: "a@example.com", role: "owner" };
  /** Services that move a reseller's money for an admin. `null`: a sandbox needs no refusal. */
  const movesMoney: Record<string, ((admin: ServiceContext) => Promise<unknown>) | null> = {
    "wallet/adjust.adjustWallet": (admin) =>
      adjustWallet(admin, { resellerId: sandbox.id, amount: "5", reason: "Paid twice" }),
    "wallet/top-up.topUpWallet": (admin) =>
      topUpWallet(admin, { resellerId: sandbox.id, amount: "5", note: "Bank transfer" }),
    // The database refuses a sandbox's requests.
    "wallet/decide-top-up.decideTopUp": null,
    // Of an operation: play money that was charged goes back.
    "wallet/refund.refundCharge": null,
    // Of a currency, for all resellers.
    "wallet/payment-settings.setCurrencyPaymentSettings": null,
  };

  test("each service that moves money for an admin", async () => {
    const permissions = readFileSync(new URL("../permission.test.ts", import.meta.url), "utf8");
    const names = [...permissions.matchAll(/"([\w/.-]{1,80})": "money:move"/g)].map(([, name]) => name);
    expect(Object.keys(movesMoney).toSorted()).toEqual(names.toSorted());
    const before = await sandbox.entries();
    for (const [name, move] of Object.entries(movesMoney)) {
      if (move !== null) expect(await codeOf(move(world.context(actors.admin(null)))), name).toBe("state_invalid");
    }
    expect(await sandbox.entries()).toEqual(before);
  });

  test("users, own prices and requested payments", async () => {
    const admin = world.context(actors.admin(null));
    expect(await codeOf(createUser(admin, { resellerId: sandbox.id, ...person }))).toBe("not_found");
    const place = { cycleId: 1, currency: "USD", resellerId: sandbox.id };
    const price = { price: "1", setupFee: "0", pricePerCore: "" };
    expect(await codeOf(setPrice(admin, { ...place, ...price }))).toBe("state_invalid");
    const request = { amount: "5", reference: "r", method: "card" } as const;
    expect(await codeOf(requestTopUp(user(sandbox), request))).toBe("state_invalid");
  });

  test("test mode's services refuse a live reseller", async () => {
    const { licenseId } = await live.register();
    const before = await live.license(licenseId);
    const refused = [
      () => addPlayMoney(user(live), { amount: "5" }),
      () => advanceLicense(user(live), { licenseId, daysBeforeEnd: 0 }),
      () => advanceLicense(user(sandbox), { licenseId, daysBeforeEnd: 0 }),
      () => setRehearsal(user(live), { outcome: "reject", remaining: 1 }),
      () => getRehearsal(user(live)),
      () => resetSandbox(user(live), { sandboxId: sandbox.id }),
    ];
    for (const attempt of refused) expect(await codeOf(attempt())).toBe("state_invalid");
    expect(await live.license(licenseId)).toEqual(before);
  });
});

describe("administration does not see sandboxes", () => {
  test("resellers, providers, catalog figures and comparisons", async () => {
    const count = async () =>
      (
        await listCatalogProducts(world.operator, { text: null, state: null, provider: null, after: null, limit: 100 })
      ).rows.map((one) => one.liveLicenses);
    const before = await count();
    await sandbox.register();
    expect(await count()).toEqual(before);
    expect((await listResellers(world.operator)).map(({ resellerId }) => resellerId)).not.toContain(sandbox.id);
    expect((await listProviders(world.operator)).map(({ name }) => name)).toEqual(["sandbox"]);
    expect(await detectDrift(world.operator)).toMatchObject([{ provider: "sandbox", differences: 0 }]);
    expect(await codeOf(detectDrift(world.operator, { provider: "test mode" }))).toBe("not_found");
  });
});
