import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import { isTransient } from "#lib/domain/errors.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { type LicenseFilter, listLicenses } from "./list.ts";
import { setLicenseLabels } from "./set-labels.ts";
import { terminateLicense } from "./terminate.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

async function find(filter: LicenseFilter, of = reseller): Promise<number[]> {
  const { rows: licenses } = await listLicenses(of.context(), { filter, order: "oldest", after: null, limit: 100 });
  return licenses.map(({ id }) => id);
}

const acme = { customerName: "Acme Hosting GmbH", customerEmail: "Billing@acme.example", customerReference: "C-1042" };

test("what is not named stays; empty fields and lists remove", async () => {
  const { licenseId } = await reseller.register();
  const set = (change: Parameters<typeof setLicenseLabels>[1]["change"]) =>
    setLicenseLabels(reseller.context(), { licenseId, change });
  expect(await set({ ...acme, tags: ["eu", "vip"] })).toMatchObject({ ...acme, tags: ["eu", "vip"] });
  expect(await set({ customerEmail: "" })).toMatchObject({ ...acme, customerEmail: "", tags: ["eu", "vip"] });
  expect(await set({ addTags: ["beta"], removeTags: ["vip", "none"] })).toMatchObject({ tags: ["beta", "eu"] });
  expect(await set({ tags: [] })).toMatchObject({ customerName: acme.customerName, tags: [] });
});

test("a terminated license can be labeled; nothing is charged, and there is no event", async () => {
  const { licenseId } = await reseller.register();
  await terminateLicense(reseller.context(), { licenseId });
  const before = [await reseller.spendable(), (await reseller.eventKinds()).length];
  await setLicenseLabels(reseller.context(), { licenseId, change: { tags: ["left"] } });
  expect([await reseller.spendable(), (await reseller.eventKinds()).length]).toEqual(before);
  expect(await find({ tag: "left" })).toEqual([licenseId]);
});

describe("rejected", () => {
  test("an eleventh tag, beside those that it has", async () => {
    const { licenseId } = await reseller.register();
    const tags = Array.from({ length: 10 }, (_, index) => `t${index}`);
    await setLicenseLabels(reseller.context(), { licenseId, change: { tags } });
    expect(await codeOf(setLicenseLabels(reseller.context(), { licenseId, change: { addTags: ["eleventh"] } }))).toBe(
      "state_invalid",
    );
  });

  test("a change from an outdated page", async () => {
    const { licenseId } = await reseller.register();
    const seenVersion = versionOf([await reseller.license(licenseId)]);
    await setLicenseLabels(reseller.context(), { licenseId, change: { tags: ["first"] } });
    const late = setLicenseLabels(reseller.context({ seenVersion }), { licenseId, change: { tags: ["late"] } });
    expect(await codeOf(late)).toBe("changed_meanwhile");
    expect((await reseller.license(licenseId)).tags).toEqual(["first"]);
  });

  test("another reseller's license, as one that does not exist", async () => {
    const { licenseId } = await reseller.register();
    const stranger = await world.reseller();
    const change = { tags: ["mine"] };
    const refused = [licenseId, 2_000_000_000].map((id) =>
      codeOf(setLicenseLabels(stranger.context(), { licenseId: id, change })),
    );
    expect(await Promise.all(refused)).toEqual(["license_not_found", "license_not_found"]);
  });
});

test("a change that loses every race against others can be tried again", async () => {
  const { licenseId } = await reseller.register();
  const queryInRace: Database["query"] = async (statement, values) => {
    if (statement.name === "update_labels") {
      await world.db.query(sql("update licenses set updated_at = now() where id = $1"), [licenseId]);
    }
    return world.db.query(statement, values);
  };
  const raced = { ...reseller.context(), db: { ...world.db, query: queryInRace } };
  const code = await codeOf(setLicenseLabels(raced, { licenseId, change: { tags: ["eu"] } }));
  expect([code, isTransient("operation_in_progress")]).toEqual(["operation_in_progress", true]);
});

test("changes at the same moment add all of their tags", async () => {
  const { licenseId } = await reseller.register();
  await Promise.all(
    ["a", "b"].map((tag) => setLicenseLabels(reseller.context(), { licenseId, change: { addTags: [tag] } })),
  );
  expect((await reseller.license(licenseId)).tags).toEqual(["a", "b"]);
});

describe("a list", () => {
  test("is filtered by a whole field of the customer in any case, and by a whole tag", async () => {
    const [one, two, three] = [await reseller.register(), await reseller.register(), await reseller.register()];
    const set = (id: number, change: object) => setLicenseLabels(reseller.context(), { licenseId: id, change });
    await set(one.licenseId, { ...acme, tags: ["vip", "it's \\ odd"] });
    await set(two.licenseId, { customerName: "ACME hosting gmbh", tags: ["vip-2"] });
    await set(three.licenseId, { customerName: "Acme Hosting", tags: ["vip"] });
    expect(await find({ customer: "acme hosting GMBH" })).toEqual([one.licenseId, two.licenseId]);
    expect(await find({ customer: "billing@ACME.example" })).toEqual([one.licenseId]);
    expect(await find({ customer: "c-1042" })).toEqual([one.licenseId]);
    expect(await find({ tag: "vip" })).toEqual([one.licenseId, three.licenseId]);
    expect(await find({ tag: "it's \\ odd" })).toEqual([one.licenseId]);
    expect(await find({ tag: "vip", customer: "Acme Hosting", text: "acme" })).toEqual([three.licenseId]);
    expect(await find({ tag: "VIP" })).toEqual([]);
    const stranger = await world.reseller();
    expect(await find({ tag: "vip" }, stranger)).toEqual([]);
  });

  test("is searched by words of customer and tags, in any order", async () => {
    const { licenseId } = await reseller.register();
    await setLicenseLabels(reseller.context(), { licenseId, change: { ...acme, tags: ["beta tester"] } });
    for (const text of ["gmbh acme", "billing@acme", "c-1042", "tester beta", "acme.ex test 1042"]) {
      expect(await find({ text }), text).toEqual([licenseId]);
    }
    expect(await find({ text: "cme" })).toEqual([]);
  });
});

test("an admin labels a reseller's license in its name", async () => {
  const { licenseId } = await reseller.register();
  expect(await setLicenseLabels(reseller.admin(), { licenseId, change: { tags: ["x"] } })).toMatchObject({
    tags: ["x"],
  });
});
