import { afterAll, beforeAll, expect, test } from "vitest";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createReseller } from "./create.ts";
import { readResellerFigures, searchResellers } from "./search.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
  for (const name of ["Alpha", "alphabet", "Beta", "100%", "Gamma"]) {
    const email = `${name.length}@${name === "Gamma" ? "alpha" : "other"}.example`;
    await createReseller(world.operator, { name, email, currency: "USD" });
  }
});
afterAll(() => world.close());

const names = async (text: string | null, before: number | null = null, limit = 50) => {
  const page = await searchResellers(world.operator, { text, before, limit });
  return { names: page.rows.map(({ name }) => name), next: page.next };
};

test("part of a name or email address finds resellers, ignoring case, newest first", async () => {
  expect(await names("ALPHA")).toEqual({ names: ["Gamma", "alphabet", "Alpha"], next: null });
});

test("wildcards are taken literally", async () => {
  expect((await names("0%")).names).toEqual(["100%"]);
  expect((await names("%")).names).toEqual(["100%"]);
});

test("pages follow each other without a gap", async () => {
  const first = await names("alpha", null, 2);
  expect(first.names).toEqual(["Gamma", "alphabet"]);
  expect(await names("alpha", first.next, 2)).toEqual({ names: ["Alpha"], next: null });
});

test("by name, in any case, pages follow each other without a gap", async () => {
  const byName = (before: number | null) =>
    searchResellers(world.operator, { text: ".example", byName: true, before, limit: 2 });
  const first = await byName(null);
  const second = await byName(first.next);
  const third = await byName(second.next);
  const pages = [first, second, third].map(({ rows: resellers }) => resellers.map(({ name }) => name));
  expect(pages).toEqual([["100%", "Alpha"], ["alphabet", "Beta"], ["Gamma"]]);
  expect(third.next).toBeNull();
});

test("beside a reseller are its licenses that are not terminated, and the charges of this month", async () => {
  const [first, second] = [await world.reseller(), await world.reseller()];
  for (let count = 0; count < 3; count++) await first.register();
  const ended = await first.register();
  await terminateLicense(first.context(), { licenseId: ended.licenseId });
  await second.register();
  const figures = await readResellerFigures(world.operator, { ids: [first.id, second.id] });
  const charged = async (entries: Promise<bigint[]>) =>
    (await entries).filter((amount) => amount < 0n).reduce((sum, amount) => sum - amount, 0n);
  expect(figures.get(first.id)).toEqual({ licenses: 3, more: false, revenue: await charged(first.entries()) });
  expect(figures.get(second.id)).toEqual({ licenses: 1, more: false, revenue: await charged(second.entries()) });
});

test("resellers with a low balance are those below their own threshold", async () => {
  const [low, enough] = [await world.reseller({ funds: "5" }), await world.reseller({ funds: "50" })];
  const threshold = sql("update wallets set low_balance_threshold = 1000 where reseller_id = any ($1)");
  await world.db.query(threshold, [[low.id, enough.id]]);
  const { rows: resellers } = await searchResellers(world.operator, { text: null, low: true, before: null, limit: 50 });
  expect(resellers.map(({ resellerId }) => resellerId)).toEqual([low.id]);
});
