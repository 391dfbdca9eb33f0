import { afterAll, beforeAll, expect, test } from "vitest";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { adjustWallet } from "./adjust.ts";
import { decideTopUp } from "./decide-top-up.ts";
import { getPaymentGuide, listCurrencyPaymentSettings, setCurrencyPaymentSettings } from "./payment-settings.ts";
import { requestTopUp } from "./request-top-up.ts";
import { openStatement } from "./statement.ts";
import { topUpWallet } from "./top-up.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const isAsked = (question: RegExp) => ({
  code: "parameters_invalid",
  details: { meant_amount: expect.stringMatching(question) },
});

test.each([
  { currency: "USD", most: "10000", more: "10,000.01", question: /^\$10,000\.01 is more than \$10,000\.00/ },
  { currency: "JPY", most: "1,000,000", more: "98,765,432,109", question: /^¥98,765,432,109 is more than ¥1,000,000/ },
  { currency: "KWD", most: "1000", more: "1000.001", question: /^KWD.1,000\.001 is more than KWD.1,000\.000/ },
])("an admin moves a large amount of $currency only once it is said to be meant", async (sample) => {
  const { currency, most, more, question } = sample;
  const reseller = await world.reseller({ currency, funds: "0" });
  const admin = reseller.admin();
  const into = { resellerId: reseller.id, note: "", reason: "x" };
  const { postedAfter } = await topUpWallet(admin, { ...into, amount: most });
  await expect(topUpWallet(admin, { ...into, amount: more })).rejects.toMatchObject(isAsked(question));
  await expect(topUpWallet(admin, { ...into, amount: more, meantAmount: most })).rejects.toMatchObject(
    isAsked(question),
  );
  await expect(adjustWallet(admin, { ...into, amount: more })).rejects.toMatchObject(isAsked(question));
  const { id } = await requestTopUp(world.context(actors.user(reseller.id)), {
    amount: more,
    reference: "R",
    method: "card",
  });
  const approval = { requestId: id, decision: "approve", amount: more } as const;
  await expect(decideTopUp(admin, approval)).rejects.toMatchObject(isAsked(question));
  expect(await reseller.spendable()).toBe(postedAfter);
  const { amount } = await topUpWallet(admin, { ...into, amount: more, meantAmount: ` ${more} ` });
  await expect(adjustWallet(admin, { ...into, amount: `-${more}` })).rejects.toMatchObject(isAsked(question));
  await adjustWallet(admin, { ...into, amount: `-${more}`, meantAmount: `-${more}` });
  expect(await reseller.spendable()).toBe(postedAfter);
  await decideTopUp(admin, { ...approval, meantAmount: more });
  expect(await reseller.spendable()).toBe(postedAfter + amount);
  await expectBooksToAgree(world.db);
});

test("admins set for each currency what is large, and how resellers pay", async () => {
  const reseller = await world.reseller({ currency: "EUR", funds: "0" });
  const other = await world.reseller({ currency: "CHF", funds: "0" });
  const admin = reseller.admin();
  const user = world.context(actors.user(reseller.id));
  const settingOf = async (currency: string) =>
    (await listCurrencyPaymentSettings(admin)).find((setting) => setting.currency === currency);
  expect(await settingOf("EUR")).toEqual({
    currency: "EUR",
    confirmAbove: 1_000_000n,
    instructions: "",
    issuer: "",
    version: "",
  });
  const texts = { instructions: " To IBAN DE89.\n", issuer: "Northbank AS\nOslo " };
  await setCurrencyPaymentSettings(admin, { currency: "EUR", confirmAbove: "50", ...texts });
  expect(await settingOf("EUR")).toMatchObject({ confirmAbove: 5000n, instructions: "To IBAN DE89." });
  const days = { from: new Date(0), to: new Date() };
  expect(await openStatement(user, days)).toMatchObject({ issuer: "Northbank AS\nOslo" });
  expect(await openStatement(world.context(actors.user(other.id)), days)).toMatchObject({ issuer: "" });
  expect(await settingOf("CHF")).toMatchObject({ confirmAbove: 1_000_000n, instructions: "" });
  const payment = { resellerId: reseller.id, note: "" };
  await topUpWallet(admin, { ...payment, amount: "50" });
  await expect(topUpWallet(admin, { ...payment, amount: "51" })).rejects.toMatchObject(
    isAsked(/^€51\.00 is more than €50\.00/),
  );
  expect((await getPaymentGuide(user)).instructions).toBe("To IBAN DE89.");
  expect((await getPaymentGuide(world.context(actors.user(other.id)))).instructions).toBe("");
  for (const confirmAbove of ["-1", "5,000", ""]) {
    const change = { currency: "EUR", confirmAbove, instructions: "", issuer: "" };
    expect(await codeOf(setCurrencyPaymentSettings(admin, change))).toBe("parameters_invalid");
  }
});

test("when two admins save a currency's settings, the second is told they changed", async () => {
  const { admin } = await world.reseller({ currency: "SEK", funds: "0" });
  const read = async () => (await listCurrencyPaymentSettings(admin())).find(({ currency }) => currency === "SEK");
  const set = (seenVersion: string | undefined, instructions: string) =>
    setCurrencyPaymentSettings(
      { ...admin(), seenVersion: seenVersion ?? null },
      { currency: "SEK", confirmAbove: "1", instructions, issuer: "" },
    );
  for (const instructions of ["never set before", "set again"]) {
    const seen = await read();
    await set(seen?.version, instructions);
    expect(await codeOf(set(seen?.version, "by the second"))).toBe("changed_meanwhile");
    expect(await read()).toMatchObject({ instructions });
  }
});

test("a reseller's reference for the next payment stays until that is requested", async () => {
  const reseller = await world.reseller({ funds: "0" });
  const user = world.context(actors.user(reseller.id));
  const { reference } = await getPaymentGuide(user);
  expect(reference).toBe(`LD-${reseller.id}-1`);
  expect((await getPaymentGuide(user)).reference).toBe(reference);
  await requestTopUp(user, { amount: "5", reference, method: "card" });
  expect((await getPaymentGuide(user)).reference).toBe(`LD-${reseller.id}-2`);
});
