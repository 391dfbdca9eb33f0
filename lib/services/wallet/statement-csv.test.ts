import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Hostname } from "#lib/domain/hostname.ts";
import { parseCurrency, parseMajor, toMajorText } from "#lib/domain/money.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { updateLicense } from "#lib/services/license/update.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { whileWalletIsLocked } from "#tests/support/locks.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { adjustWallet } from "./adjust.ts";
import { refundCharge } from "./refund.ts";
import { streamStatement } from "./statement-csv.ts";
import { topUpWallet } from "./top-up.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

async function statement(reseller: ResellerWorld, from: Date, to: Date): Promise<string> {
  let text = "";
  for await (const piece of streamStatement(reseller.context(), { from, to })) text += piece;
  return text;
}

const cells = (text: string) =>
  text
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(","));

const commands = fc.array(
  fc.record({
    do: fc.constantFrom("top_up", "adjust", "charge", "refund", "wait"),
    minor: fc.bigInt({ min: -40_000n, max: 40_000n }),
  }),
  { minLength: 1, maxLength: 12 },
);

async function carryOut(reseller: ResellerWorld, command: string, amount: string): Promise<void> {
  switch (command) {
    case "top_up":
      await topUpWallet(world.operator, { resellerId: reseller.id, amount: amount.replace("-", ""), note: "paid" });
      return;
    case "adjust":
      await adjustWallet(world.operator, { resellerId: reseller.id, amount, reason: "corrected" });
      return;
    case "charge":
      await reseller.register({ type: "malware_scanner" });
      return;
    case "refund": {
      const operation = (await reseller.operations()).at(-1);
      if (operation) await refundCharge(world.operator, { operationId: operation.id, reason: "back" });
      return;
    }
    default:
      world.advance(HOUR_MS);
  }
}

test.each(["USD", "JPY", "KWD"])(
  "for any history in %s, opening balance and amounts add up to the closing balance",
  async (code) => {
    const currency = parseCurrency(code);
    if (!currency) throw new Error(`no currency ${code}`);
    await fc.assert(
      fc.asyncProperty(commands, fc.nat(12), fc.nat(12), async (history, a, b) => {
        const reseller = await world.reseller({ currency: code, funds: "20000" });
        const beginning = world.now();
        world.advance(1000);
        for (const { do: command, minor } of history) {
          // Rejected commands leave no trace in a statement.
          await carryOut(reseller, command, toMajorText(minor, currency)).catch(() => {});
          world.advance(60_000);
        }
        const from = new Date(beginning.getTime() + Math.min(a, b) * HOUR_MS);
        const to = new Date(beginning.getTime() + Math.max(a, b) * HOUR_MS);
        const rows = cells(await statement(reseller, from, to));
        const major = (text: string | undefined) => parseMajor(text ?? "", currency) ?? -1n;
        const [opening, closing] = [major(rows[0]?.[9]), major(rows.at(-1)?.[9])];
        let balance = opening;
        for (const row of rows.slice(1, -1)) {
          balance += BigInt(parseMajor(row[8] ?? "", currency) ?? Number.NaN);
          expect(major(row[9])).toBe(balance);
        }
        expect(balance).toBe(closing);
        // Adjacent statements agree at their boundary, and the last one ends at the posted balance.
        const rest = cells(await statement(reseller, to, new Date("2100-01-01")));
        expect(major(rest[0]?.[9])).toBe(closing);
        expect(major(rest.at(-1)?.[9])).toBe((await reseller.wallet()).posted);
      }),
      { numRuns: 15 },
    );
    await expectBooksToAgree(world.db);
  },
);

test("a statement stays the same after a server and a product are renamed", async () => {
  const reseller = await world.reseller();
  const from = world.now();
  const { licenseId } = await reseller.register();
  const { key: licenseKey, ipAddress } = await reseller.license(licenseId);
  world.advance(HOUR_MS);
  const to = world.now();
  const issued = await statement(reseller, from, to);
  expect(issued).toContain(`Server Control Panel on ${ipAddress}`);
  await updateLicense(reseller.context(), { licenseKey, hostname: "renamed.example.com" as Hostname });
  await world.db.query(sql("update products set name = 'Renamed' where slug = 'control_panel'"), []);
  expect(await statement(reseller, from, to)).toBe(issued);
  await renewLicense(reseller.context(), { licenseId });
  expect(await statement(reseller, to, new Date("2100-01-01"))).toContain("Renamed on renamed.example.com");
  await world.db.query(sql("update products set name = 'Server Control Panel' where slug = 'control_panel'"), []);
});

test("the period includes its start, excludes its end, and amounts are exact", async () => {
  const reseller = await world.reseller({ currency: "KWD", funds: "1.005" });
  const from = world.now();
  world.advance(HOUR_MS);
  await adjustWallet(world.operator, { resellerId: reseller.id, amount: "-0.002", reason: '=HYPERLINK("x"), said he' });
  const to = world.now();
  world.advance(MINUTE_MS);
  const text = await statement(reseller, from, to);
  expect(cells(text).map((row) => [row[7], row[8], row[9]])).toEqual([
    ["Opening balance", "", "0.000"],
    ["funds", "1.005", "1.005"],
    ["Closing balance", "", "1.005"],
  ]);
  const next = await statement(reseller, to, new Date(to.getTime() + 1));
  expect(next).toContain(`"'=HYPERLINK(""x""), said he",-0.002,1.003,KWD,\r\n`);
  expect(next.split("\r\n")[0]).toBe(
    "time,entry,kind,operation,license,bundle,reference,note,amount,balance,currency,about",
  );
});

test("a balance is called closing only once no entry can change it: what is posted late may belong before the end", async () => {
  const reseller = await world.reseller({ funds: "1" });
  const from = new Date("2027-11-01T00:00:00Z");
  const to = new Date("2027-12-01T00:00:00Z");
  const lastLine = async (at: string) => {
    world.setClock(at);
    return cells(await statement(reseller, from, to))
      .at(-1)
      ?.filter(Boolean)
      .slice(0, -1);
  };
  expect(await lastLine("2027-11-26T12:00:00Z")).toEqual(["2027-11-26T12:00:00Z", "Balance so far", "1.00"]);
  const decidedAt = new Date("2027-11-30T23:59:59Z");
  const admin = { ...world.operator, now: () => decidedAt };
  let posted: Promise<unknown> | null = null;
  const printing = async () => {
    posted = topUpWallet(admin, { resellerId: reseller.id, amount: "2", note: "paid" });
    return lastLine("2027-12-01T00:00:01Z");
  };
  const printed = await whileWalletIsLocked({ resellerId: reseller.id }, printing, world.url);
  expect(printed).toEqual(["2027-12-01T00:00:01Z", "Balance so far", "1.00"]);
  await posted;
  expect(await lastLine("2027-12-01T00:01:00Z")).toEqual(["2027-12-01T00:00:00Z", "Closing balance", "3.00"]);
});

test("it is streamed in chunks, each entry once", async () => {
  const reseller = await world.reseller({ funds: "1" });
  const from = world.now();
  await world.db.query(
    sql(`insert into ledger_entries (reseller_id, counter_account, kind, amount, posted_after, note, actor, created_at)
           select w.reseller_id, 'adjustments', 'adjustment', 1, 100 + i, '', 'test', $2 from wallets w, generate_series(1, 2500) i
            where w.reseller_id = $1`),
    [reseller.id, from],
  );
  await world.db.query(sql("update wallets set posted = posted + 2500 where reseller_id = $1"), [reseller.id]);
  const pieces: string[] = [];
  const period = { from, to: new Date(from.getTime() + 1) };
  for await (const piece of streamStatement(reseller.context(), period)) pieces.push(piece);
  expect(pieces).toHaveLength(5);
  const rows = cells(pieces.join(""));
  expect(rows).toHaveLength(2503);
  expect(rows.at(-1)?.[9]).toBe("26.00");
  expect(new Set(rows.map((row) => row[1])).size).toBe(2502);
  await expectBooksToAgree(world.db);
});

test("it requires access to the wallet and a valid period", async () => {
  const reseller = await world.reseller();
  const now = world.now();
  const noRight = world.context(actors.apiKey(reseller.id, ["licenses:read"]));
  expect(await codeOf(streamStatement(noRight, { from: now, to: now }).next())).toBe("permission_denied");
  const backwards = { from: now, to: new Date(now.getTime() - 1) };
  expect(await codeOf(streamStatement(reseller.context(), backwards).next())).toBe("parameters_invalid");
});
