import { expect, test } from "vitest";
import { valueText, wordsOf } from "./audit-text.ts";

const priceSet = { action: "catalog.set_price", field: "price", currency: "EUR" };

test("amounts in minor units and in major units read as money", () => {
  expect(valueText("1250", priceSet)).toBe("€12.50");
  const threshold = { action: "wallet.set_low_balance_threshold", field: "threshold", currency: "JPY" };
  expect(valueText("2550", threshold)).toBe("¥2,550");
  expect(valueText("12.50", { action: "wallet.adjust", field: "amount", currency: "EUR" })).toBe("€12.50");
  expect(valueText("1250", { ...priceSet, currency: null })).toBe("1250");
});

test("what is not there, lists and things with parts are told in words, never as JSON", () => {
  expect(valueText(null, priceSet)).toBe("nothing");
  expect(valueText([], priceSet)).toBe("none");
  expect(valueText(["licenses:read", "wallet:read"], { ...priceSet, field: "scopes" })).toBe(
    "licenses:read, wallet:read",
  );
  const removed = { action: "catalog.remove_price", field: "before", currency: "EUR" };
  expect(valueText({ price: "1000", setup_fee: "0", price_per_core: null }, removed)).toBe(
    "price €10.00, setup fee €0.00, price per core nothing",
  );
});

test("switches, agreed prices and the names of changed fields read as words", () => {
  for (const action of ["license.set_auto_renew", "bundle.set_auto_renew"]) {
    expect(valueText(true, { action, field: "autoRenew", currency: "EUR" })).toBe("yes");
    expect(valueText(false, { action, field: "autoRenew", currency: "EUR" })).toBe("no");
    expect(valueText("1250", { action, field: "agreedPrice", currency: "EUR" })).toBe("€12.50");
    expect(valueText(null, { action, field: "agreedPrice", currency: "EUR" })).toBe("nothing");
  }
  const changed = { action: "license.update", field: "changed", currency: "EUR" };
  expect(valueText(["customerName", "tags"], changed)).toBe("customer name, tags");
});

test("a field's name becomes words", () => {
  expect(wordsOf("dailyLimit")).toBe("daily limit");
  expect(wordsOf("old_expires_at")).toBe("old expires at");
});

test("settings have the names of their form", () => {
  expect(wordsOf("expiringSoonDays")).toBe("days of notice");
});
