import { afterAll, beforeAll, expect, test } from "vitest";
import { registerBundle } from "#lib/services/bundle/register.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createBundle } from "./create-bundle.ts";
import { createCycle } from "./create-cycle.ts";
import { getCatalogBundle } from "./get-bundle.ts";
import { listBundles } from "./list-bundles.ts";
import { listCatalogBundles } from "./list-catalog.ts";
import { removePrice } from "./remove-price.ts";
import { setBundleRetired } from "./set-bundle-retired.ts";
import { setCycleRetired } from "./set-cycle-retired.ts";
import { setPrice } from "./set-price.ts";
import { setProductRetired } from "./set-product-retired.ts";
import { updateBundle } from "./update-bundle.ts";
import { updateProduct } from "./update-product.ts";

let world: World;
let admin: ServiceContext;
/** Ids of the seeded products by type, each sold for 1, 3 and 12 months. */
let ids: ReadonlyMap<string, number>;

beforeAll(async () => {
  world = await newWorld();
  admin = world.context(actors.admin(null));
  const products = await world.db.prisma.product.findMany();
  ids = new Map(products.map(({ slug, id }) => [slug, id]));
});
afterAll(() => world.close());

let names = 0;
const idsOf = (...types: string[]) => types.map((type) => ids.get(type) ?? 0);
const bundleOf = (...types: string[]) => ({ name: `Bundle ${++names}`, description: "", productIds: idsOf(...types) });
const cycle = (months: number, currency = "USD") => ({
  name: `${months} months`,
  months,
  providerCycle: null,
  currency,
  price: "20",
  setupFee: "",
  pricePerCore: null,
});
const detailsOf = (work: Promise<unknown>) => work.then(() => null).catch((error) => error.details);
const cycleIdOf = async (type: string, months: number) =>
  (await world.db.prisma.billingCycle.findFirstOrThrow({ where: { product: { slug: type }, months } })).id;

test("a bundle is on sale with its members in order once it has a cycle with a price", async () => {
  const reseller = await world.reseller();
  const bundle = bundleOf("malware_scanner", "control_panel");
  const { bundleId } = await createBundle(admin, bundle);
  const offer = async () => (await listBundles(reseller.context())).find((one) => one.bundleId === bundleId);
  expect(await offer()).toBeUndefined();
  await createCycle(admin, { owner: { bundleId }, ...cycle(3) });
  expect((await offer())?.products.map(({ type }) => type)).toEqual(["malware_scanner", "control_panel"]);
  await updateBundle(admin, { ...bundle, bundleId, productIds: idsOf("backup_agent", "malware_scanner") });
  expect((await offer())?.products.map(({ type }) => type)).toEqual(["backup_agent", "malware_scanner"]);
  await setBundleRetired(admin, { bundleId, retired: true });
  expect(await offer()).toBeUndefined();
  const all = { text: null, state: null, after: null, limit: 1_000 };
  const { rows: bundles } = await listCatalogBundles(admin, { ...all, state: "retired" });
  expect(bundles.map(({ id }) => id)).toEqual([bundleId]);
  const member = bundles[0]?.members[0] ?? "";
  expect((await listCatalogBundles(admin, { ...all, text: member.slice(1).toUpperCase() })).rows).toContainEqual(
    expect.objectContaining({ id: bundleId }),
  );
  expect(await listCatalogBundles(admin, { ...all, text: "no such bundle" })).toEqual({
    rows: [],
    next: null,
    total: null,
  });
  const { rows: both } = await listCatalogBundles(admin, all);
  const [first, second] = [both[0]?.id ?? 0, both[1]?.id ?? 0];
  expect(await listCatalogBundles(admin, { ...all, limit: 1 })).toMatchObject({
    rows: [{ id: first }],
    next: first,
  });
  expect((await listCatalogBundles(admin, { ...all, after: first, limit: 1 })).rows[0]?.id).toBe(second);
  const entries = await world.db.prisma.auditEntry.findMany({
    where: { subject: `bundle:${bundleId}` },
    orderBy: { id: "asc" },
  });
  expect(entries.map(({ action }) => action)).toEqual([
    "catalog.create_bundle",
    "catalog.create_cycle",
    "catalog.update_bundle",
    "catalog.retire_bundle",
  ]);
});

test("its members are two or more distinct products of the catalog; its name is unique", async () => {
  for (const types of [["backup_agent"], ["backup_agent", "backup_agent"], ["backup_agent", "nothing"]]) {
    expect(await detailsOf(createBundle(admin, bundleOf(...types)))).toHaveProperty("members");
  }
  const bundle = bundleOf("backup_agent", "control_panel");
  await createBundle(admin, bundle);
  expect(await detailsOf(createBundle(admin, { ...bundle, name: bundle.name.toUpperCase() }))).toHaveProperty("name");
});

test("every member has its term, and metered members have a price in its currency", async () => {
  const { bundleId } = await createBundle(admin, bundleOf("web_server", "backup_agent"));
  expect(await detailsOf(createCycle(admin, { owner: { bundleId }, ...cycle(2) }))).toHaveProperty("months");
  expect(await detailsOf(createCycle(admin, { owner: { bundleId }, ...cycle(1, "CHF") }))).toHaveProperty("months");
  const { cycleId } = await createCycle(admin, { owner: { bundleId }, ...cycle(1) });
  const place = { resellerId: null, cycleId, currency: "CHF" };
  const francs = setPrice(admin, { ...place, price: "20", setupFee: "", pricePerCore: null });
  expect(await detailsOf(francs)).toHaveProperty("price");
  expect((await getCatalogBundle(admin, { bundleId })).cycles).toHaveLength(1);
});

test("what a bundle on sale needs of its members cannot be removed: product, provider, cycle, and price of cores", async () => {
  const { bundleId } = await createBundle(admin, bundleOf("web_server", "hardened_kernel"));
  await createCycle(admin, { owner: { bundleId }, ...cycle(12) });
  const productId = ids.get("web_server") ?? 0;
  const [cycleId, product] = [
    await cycleIdOf("web_server", 12),
    await world.db.prisma.product.findUniqueOrThrow({ where: { id: productId } }),
  ];
  await world.db.prisma.provider.create({ data: { name: "elsewhere", kind: "sandbox" } });
  expect(await codeOf(setProductRetired(admin, { productId, retired: true }))).toBe("state_invalid");
  expect(await codeOf(setCycleRetired(admin, { cycleId, retired: true }))).toBe("state_invalid");
  expect(await codeOf(removePrice(admin, { resellerId: null, cycleId, currency: "USD" }))).toBe("state_invalid");
  const move = { ...product, productId, provider: "elsewhere" };
  expect(await detailsOf(updateProduct(admin, move))).toHaveProperty("provider");
});

test("an own price that the cores of a reseller's bundle renew at cannot be removed without a list price", async () => {
  const reseller = await world.reseller({ currency: "CHF" });
  const { bundleId } = await createBundle(admin, bundleOf("web_server", "control_panel"));
  const { cycleId } = await createCycle(admin, { owner: { bundleId }, ...cycle(3) });
  const own = { cycleId, currency: "CHF", resellerId: reseller.id };
  const cores = { ...own, cycleId: await cycleIdOf("web_server", 3) };
  await setPrice(admin, { ...cores, price: "9", setupFee: "", pricePerCore: "2" });
  await setPrice(admin, { ...own, price: "20", setupFee: "", pricePerCore: null });
  const order = { bundleId, cycleId, ipAddress: world.freshIp() };
  const { instance } = await registerBundle(reseller.context(), order);
  await changeLicenseCores(reseller.context(), { licenseId: instance.members[0]?.id ?? 0, cores: 2 });
  expect(await codeOf(removePrice(admin, cores))).toBe("state_invalid");
  await changeLicenseCores(reseller.context(), { licenseId: instance.members[0]?.id ?? 0, cores: 1 });
  await removePrice(admin, cores);
});

test("a bundle with a retired member, or a cycle that a member lacks, cannot be put back on sale", async () => {
  const { bundleId } = await createBundle(admin, bundleOf("backup_agent", "malware_scanner"));
  const { cycleId } = await createCycle(admin, { owner: { bundleId }, ...cycle(1) });
  await setCycleRetired(admin, { cycleId, retired: true });
  await setBundleRetired(admin, { bundleId, retired: true });
  const where = { id: ids.get("backup_agent") ?? 0 };
  await world.db.prisma.product.update({ where, data: { retiredAt: world.now() } });
  expect(await codeOf(setBundleRetired(admin, { bundleId, retired: false }))).toBe("state_invalid");
  expect(await codeOf(setCycleRetired(admin, { cycleId, retired: false }))).toBe("state_invalid");
  await world.db.prisma.product.update({ where, data: { retiredAt: null } });
  await setBundleRetired(admin, { bundleId, retired: false });
  const member = { id: await cycleIdOf("backup_agent", 1) };
  await world.db.prisma.billingCycle.update({ where: member, data: { retiredAt: world.now() } });
  expect(await codeOf(setCycleRetired(admin, { cycleId, retired: false }))).toBe("state_invalid");
  await world.db.prisma.billingCycle.update({ where: member, data: { retiredAt: null } });
  await setCycleRetired(admin, { cycleId, retired: false });
});
