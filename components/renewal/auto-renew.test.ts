import { expect, test } from "vitest";
import { assessAutoRenewal } from "./auto-renew.ts";

const now = new Date("2027-03-10T12:00:00Z");
const expiresAt = new Date("2027-04-10T12:00:00Z");
const settings = {
  currency: "USD",
  renewAheadDays: 3,
  priceRules: { noticeDays: 30, maxIncreasePercent: null },
};
const risen = { expiresAt, cycleMonths: 1, agreedPrice: 1000n, announcedPrice: 1200n, announcedAt: now };
const quotes = [{ current: true, price: 1200n }];

test("a risen price renews when its notice period is over, if that is later than the usual day", () => {
  const on = assessAutoRenewal({ ...risen, autoRenew: true }, quotes, [], settings, now);
  expect(on).toMatchObject({ renewsAt: new Date("2027-04-09T12:00:00Z"), risenFrom: 1000n, obstacle: null });
});

test("turned on, it accepts the shown price and renews on the usual day", () => {
  const off = assessAutoRenewal({ ...risen, autoRenew: false }, quotes, [], settings, now);
  expect(off.renewsAt).toEqual(new Date("2027-04-07T12:00:00Z"));
});

test("a failed renewal is reported while the present term is due, until it is renewed", () => {
  const dueAt = new Date("2027-04-08T12:00:00Z");
  const failed = { at: dueAt, eventKind: "license.renewal_failed", data: { reason: "insufficient_balance" } } as const;
  const requested = { ...failed, data: { reason: "provider_failed", requested: true } };
  const renewed = { at: dueAt, eventKind: "license.renewed", data: {} } as const;
  const failureOf = (history: Parameters<typeof assessAutoRenewal>[2], autoRenew = true, at = dueAt) =>
    assessAutoRenewal({ ...risen, autoRenew }, quotes, history, settings, at).failure;
  const failure = { at: dueAt, reason: "Not enough balance" };
  expect(failureOf([failed, renewed])).toEqual(failure);
  expect(failureOf([requested, failed])).toEqual(failure);
  expect(failureOf([renewed, failed])).toBeNull();
  expect(failureOf([requested])).toBeNull();
  expect(failureOf([failed], false)).toBeNull();
  expect(failureOf([failed], true, now)).toBeNull();
});
