import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { assessAutoRenewal } from "./auto-renew.ts";
import { RenewalFailure } from "./renewal-failure.tsx";

const now = new Date("2027-03-10T12:00:00Z");
const expiresAt = new Date("2027-04-10T12:00:00Z");
const settings = {
  currency: "USD",
  renewAheadDays: 3,
  priceRules: { noticeDays: 30, maxIncreasePercent: null },
};
const risen = {
  ...{ expiresAt, cycleMonths: 1, terminatedAt: null, busy: false },
  ...{ agreedPrice: 1000n, announcedPrice: 1200n, announcedAt: now },
};
const quotes = [{ current: true, price: 1200n }];

test("a risen price renews when its notice period is over, if that is later than the usual day", () => {
  const on = assessAutoRenewal({ ...risen, autoRenew: true }, quotes, [], settings, now);
  expect(on).toMatchObject({ renewsAt: new Date("2027-04-09T12:00:00Z"), risenFrom: 1000n, obstacle: null });
});

test("turned on, it accepts the shown price and renews on the usual day", () => {
  const off = assessAutoRenewal({ ...risen, autoRenew: false }, quotes, [], settings, now);
  expect(off.renewsAt).toEqual(new Date("2027-04-07T12:00:00Z"));
});

const dueAt = new Date("2027-04-08T12:00:00Z");
const day = (n: number) => new Date(`2027-04-0${n}T12:00:00Z`);
const failed = (reason: string, at = dueAt, data = {}) => ({ at, data: { reason, ...data } });
const unpaid = failed("insufficient_balance");
const assess = (reported: Parameters<typeof assessAutoRenewal>[2], facts = {}, at = dueAt, sold = quotes) =>
  assessAutoRenewal({ ...risen, autoRenew: true, ...facts }, sold, reported, settings, at);
const agreed = { agreedPrice: 1200n };
const textOf = (renewal: ReturnType<typeof assess>, spendable: bigint | null = null) =>
  renderToStaticMarkup(createElement(RenewalFailure, { renewal, balance: spendable === null ? null : { spendable } }));

test("a failed renewal is reported while the present term is due", () => {
  expect(assess([unpaid]).failures).toEqual([{ firstAt: dueAt, reason: "Not enough balance", unpaid: true }]);
  expect(assess([unpaid], { autoRenew: false }).failures).toEqual([]);
  expect(assess([unpaid], { terminatedAt: dueAt }).failures).toEqual([]);
  expect(assess([unpaid], {}, now).failures).toEqual([]);
});

test("a failed renewal is not reported while an operation is open, such as its next attempt", () => {
  expect(assess([unpaid], { busy: true })).toMatchObject({ failures: [], retrying: false });
});

test("a failed renewal is retried until the term ends, but not before its price may be charged", () => {
  expect(assess([unpaid], { announcedAt: null, ...agreed }).retrying).toBe(true);
  expect(assess([unpaid], { announcedAt: now })).toMatchObject({ retrying: false, renewsAt: day(9) });
  expect(assess([unpaid], agreed, expiresAt)).toMatchObject({ expired: true, retrying: false });
});

test("what costs more than the limit or is no longer sold is not said to be retried", () => {
  const limited = { ...settings, priceRules: { noticeDays: 0, maxIncreasePercent: 10 } };
  const aboveLimit = assessAutoRenewal({ ...risen, autoRenew: true }, quotes, [failed("price_limit")], limited, dueAt);
  const unsold = assess([failed("no_price")], agreed, dueAt, [{ current: false, price: 1200n }]);
  for (const renewal of [aboveLimit, unsold]) {
    expect(textOf(renewal)).toContain("You can renew manually.");
    expect(textOf(renewal)).not.toContain("retried");
  }
  expect(textOf(assess([failed("provider_failed")], agreed))).toContain(
    "It is retried until the term ends. You can also",
  );
});

test("what is not sold at all reports why it failed, and offers no manual renewal", () => {
  const text = textOf(assess([failed("no_price")], agreed, dueAt, []));
  expect(text).toContain("Its billing cycle is no longer sold, first on");
  expect(text).not.toContain("renew manually");
});

test("a renewal that failed for want of money offers to top up what is missing now, to readers of the balance", () => {
  const renewal = assess([failed("provider_failed"), unpaid], agreed);
  expect(textOf(renewal, 450n)).toMatch(/href="\/wallet\?top-up=7\.50".*Top up \$7\.50/);
  for (const spendable of [1200n, null]) expect(textOf(renewal, spendable)).not.toContain("Top up");
  expect(textOf(assess([failed("provider_failed")], agreed), 0n)).not.toContain("Top up");
});
