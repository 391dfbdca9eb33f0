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
const failed = (reason: string, at = dueAt, data = {}) =>
  ({ at, eventKind: "license.renewal_failed", data: { reason, ...data } }) as const;
const renewed = { at: dueAt, eventKind: "license.renewed", data: {} } as const;
const unpaid = failed("insufficient_balance");
const assess = (history: Parameters<typeof assessAutoRenewal>[2], facts = {}, at = dueAt, sold = quotes) =>
  assessAutoRenewal({ ...risen, autoRenew: true, ...facts }, sold, history, settings, at);

test("a failed renewal is reported while the present term is due, until it is renewed", () => {
  const requested = failed("provider_failed", dueAt, { requested: true });
  const failures = [{ firstAt: dueAt, reason: "Not enough balance" }];
  expect(assess([unpaid, renewed]).failures).toEqual(failures);
  expect(assess([requested, unpaid]).failures).toEqual(failures);
  expect(assess([renewed, unpaid]).failures).toEqual([]);
  expect(assess([requested]).failures).toEqual([]);
  expect(assess([unpaid], { autoRenew: false }).failures).toEqual([]);
  expect(assess([unpaid], { terminatedAt: dueAt }).failures).toEqual([]);
  expect(assess([unpaid], {}, now).failures).toEqual([]);
});

test("a failed renewal is not reported while an operation is open, such as its next attempt", () => {
  expect(assess([unpaid], { busy: true })).toMatchObject({ failures: [], retrying: false });
});

test("each reason since the last renewal is reported with its first time, as one that recurs has no further event", () => {
  const provider = { reason: "The provider refused, or was not reached", firstAt: day(8) };
  const balance = { reason: "Not enough balance", firstAt: day(7) };
  const earlier = [renewed, failed("no_price", day(1))];
  const history = [failed("provider_failed", day(8)), failed("insufficient_balance", day(7)), ...earlier];
  expect(assess(history).failures).toEqual([provider, balance]);
  expect(assess([failed("insufficient_balance", day(9)), ...history]).failures).toEqual([balance, provider]);
});

test("a failed renewal is retried until the term ends, but not before its price may be charged", () => {
  expect(assess([unpaid], { announcedAt: null, agreedPrice: 1200n }).retrying).toBe(true);
  expect(assess([unpaid], { announcedAt: now })).toMatchObject({ retrying: false, renewsAt: day(9) });
  expect(assess([unpaid], { agreedPrice: 1200n }, expiresAt)).toMatchObject({ expired: true, retrying: false });
});

test("what is no longer sold reports why it failed, and offers no manual renewal", () => {
  const textOf = (sold: typeof quotes) =>
    renderToStaticMarkup(
      createElement(RenewalFailure, { renewal: assess([failed("no_price")], { agreedPrice: 1200n }, dueAt, sold) }),
    );
  const reason = "Its billing cycle is no longer sold, first on";
  for (const sold of [[], quotes]) expect(textOf(sold)).toContain(reason);
  expect(textOf(quotes)).toContain("You can also renew manually.");
  expect(textOf([])).not.toContain("renew manually");
});
