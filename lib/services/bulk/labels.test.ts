import { afterAll, beforeAll, expect, test } from "vitest";
import type { LicenseBulkChange } from "#lib/domain/bulk-license.ts";
import { setLicenseLabels } from "#lib/services/license/set-labels.ts";
import { actors } from "#tests/support/actors.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { listBulkItems } from "./list-items.ts";
import { quoteLicenseBulk } from "./quote-licenses.ts";
import { runBulkJob } from "./run.ts";
import { startLicenseBulk } from "./start-licenses.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

test("customer and tags of many licenses are set, for free, by who may change licenses", async () => {
  const reseller = await world.reseller();
  const ids = [(await reseller.register()).licenseId, (await reseller.register()).licenseId];
  const [full = 0, other = 0] = ids;
  const tags = Array.from({ length: 10 }, (_, index) => `t${index}`);
  await setLicenseLabels(reseller.context(), { licenseId: full, change: { tags } });
  const support = world.context(actors.user(reseller.id, "support"));
  const change = async (wanted: LicenseBulkChange, filter = {}) => {
    const selection = { filter };
    const agreed = await quoteLicenseBulk(support, { change: wanted, selection });
    expect(agreed.total).toBe(0n);
    const { jobId } = await startLicenseBulk(support, { change: wanted, selection, agreed });
    await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
    return (await listBulkItems(support, { jobId, after: 0, limit: 100 })).items.map(({ state }) => state);
  };
  expect(await change({ kind: "add_tags", tags: ["vip"] })).toEqual(["failed", "succeeded"]);
  expect(await change({ kind: "remove_tags", tags: ["t0", "none"] }, { tag: "t1" })).toEqual(["succeeded"]);
  const acme = { customerName: "Acme", customerEmail: "", customerReference: "C-1" };
  expect(await change({ kind: "set_customer", ...acme })).toEqual(["succeeded", "succeeded"]);
  expect(await change({ kind: "add_tags", tags: ["eu"] }, { customer: "acme", tag: "vip" })).toEqual(["succeeded"]);
  expect(await reseller.license(full)).toMatchObject({ ...acme, tags: tags.slice(1) });
  expect(await reseller.license(other)).toMatchObject({ ...acme, tags: ["eu", "vip"] });
});
