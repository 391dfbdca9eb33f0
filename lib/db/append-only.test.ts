import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register({ type: "web_server" });
  for (const cores of [5, 2]) await changeLicenseCores(reseller.context(), { licenseId, cores });
});
afterAll(() => world.close());

describe.each([
  ["ledger_entries", "amount = amount + 1"],
  ["paid_terms", "months = months + 1"],
  ["core_lots", "amount = amount + 1"],
  ["core_credits", "cores = cores + 1"],
  ["audit_entries", "reason = 'never mind'"],
  ["audit_links", "entry_id = entry_id + 1"],
])("the database refuses, of rows of %s,", (table, change) => {
  test.each([
    ["a change", `update ${table} set ${change}`],
    ["a removal", `delete from ${table}`],
    ["the removal of all", `truncate ${table} cascade`],
  ])("%s", async (_, text) => {
    const refused = { code: "23000", message: `${table} is append-only` };
    await expect(world.db.query(sql(text), [])).rejects.toMatchObject(refused);
  });
});
