import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { csvRecord } from "#lib/domain/csv.ts";
import type { DomainError } from "#lib/domain/errors.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { type Currency, toMajorText } from "#lib/domain/money.ts";
import { MAX_IMPORT_ROWS } from "#lib/domain/registration-import.ts";
import { listBulkItems } from "#lib/services/bulk/list-items.ts";
import { runBulkJob } from "#lib/services/bulk/run.ts";
import { listProducts } from "#lib/services/catalog/list-products.ts";
import { actorName } from "#lib/services/context.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { formKey } from "#tests/support/claims.ts";
import { clearRehearsed, codeOf, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { exportLicenses } from "./export.ts";
import { listLicenses } from "./list.ts";
import { planLicenseImport } from "./plan-import.ts";
import { setLicenseLabels } from "./set-labels.ts";
import { startLicenseImport, startRegistrations } from "./start-import.ts";
import { terminateLicense } from "./terminate.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  await clearRehearsed(world);
  reseller = await world.reseller();
});
afterAll(() => world.close());

const person = (change = {}) => world.context(actors.user(reseller.id), change);

/** One monthly control panel per row. */
const fileOf = (rows: readonly { ip: string; notes?: string; autoRenew?: string }[]) =>
  csvRecord(["product", "cycle", "ip_address", "notes", "auto_renew"]) +
  rows
    .map(({ ip, notes = "", autoRenew = "" }) => csvRecord(["control_panel", "monthly", ip, notes, autoRenew]))
    .join("");

const freshIps = (count: number) => Array.from({ length: count }, () => ({ ip: world.freshIp() as string }));

async function start(text: string, change = {}): Promise<number> {
  const { registrations, total } = await planLicenseImport(person(), { text });
  const agreed = { text, agreedCount: registrations.length, agreedTotal: total, allowPrivateAddresses: false };
  return (await startLicenseImport(person(change), agreed)).jobId;
}

async function itemsOf(jobId: number) {
  return (await listBulkItems(person(), { jobId, after: 0, limit: 100 })).items;
}

const licenses = async () =>
  (await listLicenses(reseller.context(), { filter: {}, order: "oldest", after: null, limit: 100 })).rows;

test("a plan has the price of every valid row, the total and the available balance, and changes nothing", async () => {
  const before = await reseller.spendable();
  const { cycle } = await world.offer(reseller.id, "control_panel");
  const price = cycle.price + cycle.setupFee;
  const text = fileOf([...freshIps(2), { ip: "nowhere" }]);
  const plan = await planLicenseImport(person(), { text });
  expect(plan.rows.map(({ line, registration }) => [line, registration?.price ?? null])).toEqual([
    [2, price],
    [3, price],
    [4, null],
  ]);
  expect(plan).toMatchObject({ total: 2n * price, spendable: before, currency: "USD" });
  expect(await licenses()).toEqual([]);
  expect(await reseller.spendable()).toBe(before);
});

test("an address with any reseller's live license of the product is rejected; a terminated one is not in the way", async () => {
  const own = await reseller.register({ ip: world.freshIp() });
  const other = await (await world.reseller()).register({ ip: world.freshIp() });
  const gone = await reseller.register({ ip: world.freshIp() });
  await world.db.query(sql("update licenses set terminated_at = now() where id = $1"), [gone.licenseId]);
  const addressOf = async (id: number) => {
    const [row] = await world.db.query(sql<{ ip: string }>("select ip_address as ip from licenses where id = $1"), [
      id,
    ]);
    return { ip: row?.ip ?? "" };
  };
  const text = fileOf(await Promise.all([own, other, gone].map(({ licenseId }) => addressOf(licenseId))));
  const taken = ["This address already has a live license of this product."];
  const { rows } = await planLicenseImport(person(), { text });
  expect(rows.map(({ problems }) => problems)).toEqual([taken, taken, []]);
});

test("an export with customer and tags, imported elsewhere, has them again", async () => {
  const labels = {
    customerName: '=Acme, "GmbH"; x',
    customerEmail: "billing@acme.example",
    customerReference: "+C-1042",
    tags: ["-eu", "two words", "מפתח"],
  };
  const { licenseId } = await reseller.register();
  await setLicenseLabels(reseller.context(), { licenseId, change: labels });
  let text = "";
  const input = { filter: {}, order: "oldest", columns: ["server", "cycle", "customer", "tags"] } as const;
  for await (const piece of exportLicenses(reseller.context(), input)) text += piece;
  await terminateLicense(reseller.context(), { licenseId });
  const jobId = await start(text);
  await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
  expect((await licenses()).at(-1)).toMatchObject(labels);
});

test("a row with an invalid customer or tag is rejected, and says why", async () => {
  const row = ["control_panel", "monthly", world.freshIp(), "nobody", "x".repeat(41)];
  const text = [["product", "cycle", "ip_address", "customer_email", "tags"], row].map(csvRecord).join("");
  const { rows } = await planLicenseImport(person(), { text });
  expect(rows[0]?.problems).toEqual([
    "customer_email must be an email address such as billing@example.com.",
    "tags must be at most 10 tags of up to 40 characters, separated by commas.",
  ]);
});

test("the job registers valid rows as the user, each with notes and auto-renew, and charges the total", async () => {
  const before = await reseller.spendable();
  const [first, second] = freshIps(2);
  const text = fileOf([
    { ip: first?.ip ?? "", notes: "=1+1", autoRenew: "yes" },
    { ip: "wrong" },
    { ip: second?.ip ?? "" },
  ]);
  const { total } = await planLicenseImport(person(), { text });
  const jobId = await start(text);
  expect((await itemsOf(jobId)).map(({ productName, ipAddress }) => [productName !== null, ipAddress])).toEqual([
    [true, first?.ip],
    [true, second?.ip],
  ]);
  await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
  expect((await licenses()).map(({ ipAddress, notes, autoRenew }) => [ipAddress, notes, autoRenew])).toEqual([
    [first?.ip, "=1+1", true],
    [second?.ip, "", false],
  ]);
  expect(await reseller.spendable()).toBe(before - total);
  expect(await reseller.difference()).toBeNull();
  const actorsOf = "select distinct actor from operations where reseller_id = $1";
  expect(await world.db.query(sql(actorsOf), [reseller.id])).toEqual([{ actor: actorName(person()) }]);
  expect((await itemsOf(jobId)).map(({ state, chargedAmount }) => [state, chargedAmount])).toEqual(
    Array(2).fill(["succeeded", total / 2n]),
  );
});

test("rows beyond the balance fail with that reason, and no row partly", async () => {
  const { cycle } = await world.offer(reseller.id, "control_panel");
  const price = cycle.price + cycle.setupFee;
  reseller = await world.reseller({ funds: toMajorText(2n * price + 1n, "USD" as Currency) });
  const jobId = await start(fileOf(freshIps(3)));
  await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
  expect((await itemsOf(jobId)).map(({ state, errorCode }) => [state, errorCode])).toEqual([
    ["succeeded", null],
    ["succeeded", null],
    ["failed", "insufficient_balance"],
  ]);
  expect(await reseller.spendable()).toBe(1n);
  expect(await licenses()).toHaveLength(2);
});

test("a rejection or missing answer affects only its row", async () => {
  const [good] = freshIps(1);
  const jobId = await start(fileOf([{ ip: rehearsed.rejects }, { ip: rehearsed.losesAnswer }, { ip: good?.ip ?? "" }]));
  await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
  expect((await itemsOf(jobId)).map(({ state }) => state)).toEqual(["failed", "pending", "succeeded"]);
  expect(await reseller.difference()).toBeNull();
});

test("a repeated submission is one job; other prices or rows than agreed start none", async () => {
  const text = fileOf(freshIps(2));
  const form = formKey(world.db, "web:1:import");
  expect(await start(text, form)).toBe(await start(text, form));
  const { registrations, total } = await planLicenseImport(person(), { text });
  const agreed = { text, agreedCount: registrations.length, agreedTotal: total, allowPrivateAddresses: false };
  expect(await codeOf(startLicenseImport(person(), { ...agreed, agreedTotal: total - 1n }))).toBe("price_changed");
  expect(await codeOf(startLicenseImport(person(), { ...agreed, agreedCount: 1 }))).toBe("conflict");
  const nothing = { text: fileOf([{ ip: "x" }]), agreedCount: 0, agreedTotal: 0n, allowPrivateAddresses: false };
  expect(await codeOf(startLicenseImport(person(), nothing))).toBe("state_invalid");
});

test("a price that changes after the plan fails the row", async () => {
  const { cycleId } = await world.offer(reseller.id, "control_panel");
  const jobId = await start(fileOf(freshIps(1)));
  await world.db.query(
    sql("insert into prices (cycle_id, reseller_id, currency, price, setup_fee) values ($1, $2, 'USD', 777700, 0)"),
    [cycleId, reseller.id],
  );
  await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
  expect((await itemsOf(jobId)).map(({ state, errorCode }) => [state, errorCode])).toEqual([
    ["failed", "price_changed"],
  ]);
});

test("an export can be imported by another reseller if the addresses are free", async () => {
  await reseller.register({ ip: world.freshIp() });
  let text = "";
  const columns = ["server", "cycle", "renewal", "notes", "status"] as const;
  for await (const piece of exportLicenses(reseller.context(), { filter: {}, order: "oldest", columns })) text += piece;
  await world.db.query(sql("update licenses set terminated_at = now() where reseller_id = $1"), [reseller.id]);
  const plan = await planLicenseImport(person(), { text });
  expect(plan.rows.map(({ problems }) => problems)).toEqual([[]]);
  expect(plan.ignoredColumns).toEqual(["license_id", "hostname", "status"]);
});

test("5,000 rows are planned in one call", async () => {
  const [product] = await listProducts(person());
  const rows = Array.from(
    { length: MAX_IMPORT_ROWS },
    (_, n) => `${product?.productId},${product?.cycles[0]?.cycleId},10.99.${n >> 8}.${n & 255}`,
  );
  const { registrations } = await planLicenseImport(person(), { text: `product,cycle,ip\n${rows.join("\n")}` });
  expect(registrations).toHaveLength(MAX_IMPORT_ROWS);
});

test("private addresses require confirmation before anything is charged (contract 1.8)", async () => {
  const text = fileOf([...freshIps(1), { ip: "10.0.0.9" }, { ip: "192.168.1.9" }]);
  const { registrations, total } = await planLicenseImport(person(), { text });
  const agreed = { text, agreedCount: registrations.length, agreedTotal: total };
  await expect(startLicenseImport(person(), { ...agreed, allowPrivateAddresses: false })).rejects.toMatchObject({
    code: "parameters_invalid",
    message: "Confirm the private addresses in the file (2).",
  });
  const { jobId } = await startLicenseImport(person(), { ...agreed, allowPrivateAddresses: true });
  await runBulkJob(world.operator, { jobId });
  expect(await licenses()).toHaveLength(3);
});

test("one product on several addresses is one job at one price, or names the address that it cannot have", async () => {
  const { productId, cycle } = await world.offer(reseller.id, "control_panel");
  const price = cycle.price + cycle.setupFee;
  const [first, second, third] = [world.freshIp(), world.freshIp(), world.freshIp()];
  const labels = { customerName: "Fjord, Inc.", customerEmail: "", customerReference: "=1042", tags: ["eu", "vip"] };
  const buy = (ipAddresses: readonly LicenseAddress[], agreedTotal: bigint) =>
    startRegistrations(person(), {
      ...{ productId, cycleId: cycle.cycleId, notes: "=Order, 4711", labels, autoRenew: true },
      ...{ ipAddresses, agreedTotal },
    });
  expect(await codeOf(buy([first, second], price))).toBe("price_changed");
  const { jobId } = await buy([first, second], 2n * price);
  await runBulkJob(world.operator, { jobId });
  expect(await licenses()).toMatchObject(
    [first, second].map((ipAddress) => ({ ipAddress, notes: "=Order, 4711", ...labels, autoRenew: true })),
  );
  const taken = await buy([third, second], 2n * price).catch((error: DomainError) => error.details);
  expect(taken).toEqual({ ip_address: `${second}: This address already has a live license of this product.` });
  expect(await licenses()).toHaveLength(2);
});
