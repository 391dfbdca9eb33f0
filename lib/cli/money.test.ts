import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import { runHere } from "#tests/support/command-line.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";

let world: World;
let dataDir: string;
beforeAll(async () => {
  world = await newWorld({ start: new Date() });
  dataDir = mkdtempSync(join(tmpdir(), "license-desk-cli-"));
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
  await world.close();
});

const admin = (line: string) =>
  runHere(line.split(" "), { DATA_DIR: dataDir, DATABASE_URL: world.url, API_KEY_PEPPER: PEPPER });

async function json(line: string) {
  const { code, stdout, stderr } = await admin(line);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

test("the output of adjust, refund, statement, runway and verify", async () => {
  const reseller = await world.reseller({ funds: "100" });
  const { licenseId, operation } = await reseller.register();
  expect(await json(`wallet adjust --reseller ${reseller.id} --amount=-10.25 --reason typo`)).toEqual({
    reseller_id: reseller.id,
    amount: -10.25,
    posted: 75.25,
    currency: "USD",
  });
  expect(await json(`wallet refund --operation ${operation.id} --amount 4.5 --reason kindness`)).toEqual({
    reseller_id: reseller.id,
    amount: 4.5,
    posted: 79.75,
    currency: "USD",
  });
  expect((await admin(`wallet refund --operation ${operation.id} --amount 10.01 --reason more`)).code).toBe(1);

  expect(await json(`license auto-renew --id ${licenseId} --on`)).toEqual({ license_id: licenseId, auto_renew: true });
  const runway = await json(`wallet runway --reseller ${reseller.id}`);
  expect(runway).toMatchObject({ balance: 79.75, covers_until: null, lapses: [], top_up_needed: { days_90: 0 } });
  expect(runway.sum_of_renewals).toBe(runway.renewals * 14.5);
  expect(await json(`renewals run --reseller ${reseller.id}`)).toEqual({
    renewed: 0,
    pending: 0,
    failed: 0,
    skipped: 0,
    waiting: 0,
  });
  expect(await json(`license auto-renew --id ${licenseId} --off`)).toEqual({
    license_id: licenseId,
    auto_renew: false,
  });

  const { stdout } = await admin(`wallet statement --reseller ${reseller.id} --from 2020-01-01 --to 2100-01-01`);
  const lines = stdout.split("\r\n");
  expect(lines[1]).toBe("2020-01-01T00:00:00Z,,,,,,,Opening balance,,0.00,USD,");
  expect(lines[5]).toContain(",refund,license.register,");
  expect(lines[6]).toMatch(/^20\d\d-\d\d-\d\dT[\d:]{8}Z,,,,,,,Balance so far,,79\.75,USD,$/);

  const books = await json("wallet verify");
  expect(books).toMatchObject({ differences: [], currency_differences: [] });
  expect(books.accounts).toEqual([
    { currency: "USD", account: "revenue", balance: 14.5 },
    { currency: "USD", account: "top_ups", balance: -100 },
    { currency: "USD", account: "adjustments", balance: 10.25 },
    { currency: "USD", account: "credits", balance: -4.5 },
  ]);
});

test("wallets that differ from their ledger, or from their currency's accounts, fail the verification", async () => {
  const reseller = await world.reseller({ currency: "KWD", funds: "5" });
  await world.db.query(sql("update wallets set posted = posted + 1 where reseller_id = $1"), [reseller.id]);
  const { code, stdout } = await admin("wallet verify");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    differences: [{ reseller_id: reseller.id, posted: 5.001, sum_of_entries: 5 }],
    currency_differences: [{ currency: "KWD", sum_of_wallets: 5.001, sum_of_accounts: -5 }],
  });
});

test.each([
  ["license auto-renew --id 1", 2],
  ["license auto-renew --id 1 --on --off", 2],
  ["license auto-renew --id 999999 --on", 1],
  ["wallet adjust --reseller 1 --amount=1", 2],
  ["wallet refund --operation 1 --reason x", 1],
  ["wallet statement --reseller 1 --from yesterday --to 2027-01-01", 2],
  ["wallet statement --reseller 1 --from 2027-01-02 --to 2027-01-01", 1],
  ["wallet top-up --reseller 1 --amount 5 --note x --method barter", 2],
])("%s exits with %i and explains why", async (line, code) => {
  const result = await admin(line);
  expect(result.code).toBe(code);
  expect(result.stdout).toBe("");
  expect(result.stderr).not.toBe("");
});

test("the operator sets a reseller's renewal settings", async () => {
  const reseller = await world.reseller();
  expect(await json(`reseller renewal-settings --id ${reseller.id} --expiring-soon 30,7 --renew-ahead 2`)).toEqual({
    reseller_id: reseller.id,
    expiring_soon_days: [30, 7],
    renew_ahead_days: 2,
  });
  expect((await admin(`reseller renewal-settings --id ${reseller.id} --renew-ahead 91`)).code).toBe(1);
});
