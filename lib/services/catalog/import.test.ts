import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { LicenseProvider, ProviderProduct } from "#lib/ports/license-provider.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { type ImportInput, importFromProvider } from "./import-from-provider.ts";

let world: World;
let offered: ProviderProduct[];

const cycle = (months: number, price: string, more: object = {}) => ({
  cycle: String(100 + months),
  name: `${months} months`,
  months,
  currency: "USD",
  price,
  setupFee: "0",
  pricePerCore: null,
  ...more,
});
const product = (sku: string, type: string, cycles: ProviderProduct["cycles"], more: object = {}): ProviderProduct => ({
  sku,
  name: `Product ${sku}`,
  type,
  coreMetered: false,
  workers: 0,
  cycles,
  ...more,
});

const provider = {
  name: "upstream",
  account: { readBalance: async () => ({ balance: "0", currency: "USD" }), listProducts: async () => offered },
} as unknown as LicenseProvider;

const rule: ImportInput = { provider: "upstream", percent: "20", fixed: "0", rounding: "none", dryRun: false };
const run = (change: Partial<ImportInput> = {}) =>
  importFromProvider({ ...world.operator, providers: new Map([["upstream", provider]]) }, { ...rule, ...change });

const stored = () =>
  world.db.prisma.product.findMany({
    where: { providerName: "upstream" },
    orderBy: { id: "asc" },
    include: { cycles: { orderBy: { months: "asc" }, include: { prices: { orderBy: { id: "asc" } } } } },
  });

beforeAll(async () => {
  world = await newWorld();
  await world.db.prisma.provider.create({
    data: {
      name: "upstream",
      kind: "dispatch",
      baseUrl: "https://up.example/api/v1/",
      credentials: new Uint8Array(40),
    },
  });
});
beforeEach(async () => {
  await world.db.query(
    sql(
      "delete from prices p using billing_cycles c, products o where c.id = p.cycle_id and o.id = c.product_id and o.provider = 'upstream'",
    ),
    [],
  );
  await world.db.query(
    sql("delete from billing_cycles c using products o where o.id = c.product_id and o.provider = 'upstream'"),
    [],
  );
  await world.db.query(sql("delete from products where provider = 'upstream'"), []);
  offered = [
    product("7", "mail_filter", [cycle(1, "10"), cycle(12, "99.99", { setupFee: "5" })]),
    product("8", "web_server", [cycle(1, "18", { pricePerCore: "6.5" })], { coreMetered: true, workers: 4 }),
  ];
});
afterAll(() => world.close());

describe("importing a provider's catalog", () => {
  test("a dry run reports everything and changes nothing", async () => {
    const plan = await run({ dryRun: true });
    expect(plan.products.map(({ change: { id, slug } }) => [id, slug])).toEqual([
      [null, "mail_filter"],
      [null, "web_server_2"],
    ]);
    expect(await stored()).toEqual([]);
  });

  test("creates products by the provider's type, numbered if it is taken, at cost plus markup", async () => {
    await run();
    const [mail, web] = await stored();
    expect(mail).toMatchObject({ slug: "mail_filter", providerSku: "7", name: "Product 7", coreMetered: false });
    expect(web).toMatchObject({ slug: "web_server_2", providerSku: "8", coreMetered: true, workers: 4 });
    expect(mail?.cycles).toMatchObject([
      {
        months: 1,
        providerCycle: "101",
        prices: [{ currency: "USD", resellerId: null, price: 1200n, setupFee: 0n, pricePerCore: null }],
      },
      { months: 12, providerCycle: "112", prices: [{ price: 11999n, setupFee: 600n }] },
    ]);
    expect(web?.cycles[0]?.prices).toMatchObject([{ price: 2160n, pricePerCore: 780n }]);
  });

  test("repeated, it follows the provider's names, cycles and prices; products no longer sold are listed and stay", async () => {
    await run();
    const before = await stored();
    offered = [
      product("7", "renamed_type", [cycle(1, "11", { cycle: "900" }), cycle(12, "99.99"), cycle(3, "30")], {
        name: "Mail Filter",
      }),
    ];
    const plan = await run({ percent: "10", rounding: "to_99" });
    expect(plan.missing).toEqual(["web_server_2"]);
    const [mail, web] = await stored();
    expect(mail).toMatchObject({ id: before[0]?.id, slug: "mail_filter", name: "Mail Filter" });
    expect(
      mail?.cycles.map(({ months, providerCycle, prices }) => [
        months,
        providerCycle,
        prices.map(({ price }) => price),
      ]),
    ).toEqual([
      [1, "900", [1299n]],
      [3, "103", [3399n]],
      [12, "112", [10999n]],
    ]);
    expect(web).toEqual(before[1]);
    expect(plan.products[0]?.cycles[0]?.before).toMatchObject({ price: 1200n });
  });

  test("cycles that the provider no longer sells are listed and stay, until they are retired", async () => {
    await run();
    offered = [product("7", "mail_filter", [cycle(1, "10")])];
    const missingCycles = [{ slug: "mail_filter", months: 12 }];
    expect(await run()).toMatchObject({ missing: ["web_server_2"], missingCycles });
    const [mail, web] = await stored();
    expect(mail?.cycles.map(({ months }) => months)).toEqual([1, 12]);
    const retiredAt = world.now();
    await world.db.prisma.billingCycle.update({ where: { id: mail?.cycles[1]?.id ?? 0 }, data: { retiredAt } });
    await world.db.prisma.product.update({ where: { id: web?.id ?? 0 }, data: { retiredAt } });
    expect(await run()).toMatchObject({ missing: [], missingCycles: [] });
  });

  test("resellers' own prices and other currencies never change; those below cost are listed", async () => {
    await run();
    const reseller = await world.reseller();
    const cycleId = (await stored())[0]?.cycles[0]?.id ?? 0;
    await world.db.prisma.price.createMany({
      data: [
        { cycleId, resellerId: reseller.id, currency: "USD", price: 1_100n },
        { cycleId, currency: "EUR", price: 5n },
      ],
    });
    offered = [product("7", "mail_filter", [cycle(1, "11.50")])];
    const plan = await run();
    expect(plan.products[0]?.cycles[0]?.overridesBelowCost).toMatchObject([
      { resellerId: reseller.id, price: { price: 1_100n } },
    ]);
    const prices = (await stored())[0]?.cycles[0]?.prices.map(({ currency, resellerId, price }) => [
      currency,
      resellerId,
      price,
    ]);
    expect(prices).toEqual([
      ["USD", null, 1_380n],
      ["USD", reseller.id, 1_100n],
      ["EUR", null, 5n],
    ]);
  });

  test("prices are below cost only if allowed, and listed in any case", async () => {
    const raised = await run({ percent: "-50" });
    expect(raised.products[0]?.cycles[0]).toMatchObject({
      belowCost: "raised_to_cost",
      cycle: { price: { price: 1_000n } },
    });
    const allowed = await run({ percent: "-50", allowBelowCost: true });
    expect(allowed.products[0]?.cycles[0]).toMatchObject({ belowCost: "allowed", cycle: { price: { price: 500n } } });
    expect((await run({ fixed: "-1" })).products[0]?.cycles[0]?.belowCost).toBeNull();
  });

  test("invalid products are skipped and listed, and the rest is imported", async () => {
    offered.push(
      product("9", "odd", [
        cycle(1, "1"),
        cycle(1, "2", { cycle: "second" }),
        cycle(2, "1", { currency: "XXZ" }),
        cycle(3, "1.005"),
        cycle(121, "1"),
      ]),
    );
    const plan = await run();
    expect(plan.skipped.map(({ sku, cycle }) => [sku, cycle])).toEqual([
      ["9", "second"],
      ["9", "102"],
      ["9", "103"],
      ["9", "221"],
    ]);
    expect((await stored())[2]?.cycles).toHaveLength(1);
    offered = [product("8", "web_server", [cycle(1, "18")])];
    expect((await run()).skipped).toMatchObject([{ sku: "8", cycle: null }]);
  });

  test("a preview shows what is new, changed and unchanged, and an import does only what it showed", async () => {
    const preview = await run({ dryRun: true });
    expect(preview.products.map(({ status }) => status)).toEqual(["new", "new"]);
    await run({ expected: preview.fingerprint });
    offered = [
      product("7", "mail_filter", [cycle(1, "11"), cycle(12, "99.99", { setupFee: "5" })]),
      ...offered.slice(1),
    ];
    const again = await run({ dryRun: true });
    expect(again.products.map(({ status, cycles }) => [status, cycles.map((one) => one.status)])).toEqual([
      ["changed", ["changed", "unchanged"]],
      ["unchanged", ["unchanged"]],
    ]);
    offered = [product("7", "mail_filter", [cycle(1, "12")])];
    expect(await codeOf(run({ expected: again.fingerprint }))).toBe("conflict");
    expect((await stored())[0]?.cycles[0]).toMatchObject({ costPrice: 1000n, prices: [{ price: 1200n }] });
  });

  test("an invalid rule is rejected, and nothing is written", async () => {
    expect(await codeOf(run({ percent: "a lot" }))).toBe("parameters_invalid");
    expect(await codeOf(run({ fixed: "0.001" }))).toBe("parameters_invalid");
    expect(await codeOf(run({ provider: "nobody" }))).toBe("not_found");
    expect(await stored()).toEqual([]);
  });

  test("the action is in the audit trail", async () => {
    await run({ rounding: "to_whole" });
    const entry = await world.db.prisma.auditEntry.findFirst({
      where: { action: "catalog.import" },
      orderBy: { id: "desc" },
    });
    expect(entry).toMatchObject({ subject: "provider:upstream", data: { percent: "20", rounding: "to_whole" } });
  });
});
