import { expect, test } from "vitest";
import type { ResellerId } from "./ids.ts";
import { isPaymentOfAnother, paymentReference, plainReference } from "./payment-reference.ts";

const thief = 1 as ResellerId;
const victim = 12 as ResellerId;
const reference = paymentReference(victim, 1);

const separators = ["\u2010", "\u2212", " ", "_", ".", "--", " - ", "\u00ad-", "\u200b-"];
const spellings = [
  "LD-l2-1",
  "LD I2 l",
  "LD-o12-I",
  ...separators.map((separator) => reference.replaceAll("-", separator)),
  reference.toLowerCase(),
  `${paymentReference(thief, 1)} ${reference}`,
  "LD-012-1",
  "LD12-1",
  "LD-12 -1",
  "\uff2c\uff24-12-1",
  "L.D. 12 1",
  "L\u200bD-12-1",
  "LD-1\u200b2-1",
  "LD-1\u00ad2-1",
];

test.for(spellings)("%j is the payment of the reseller that it names, and of no other", (spelling) => {
  const plain = plainReference(spelling);
  expect(isPaymentOfAnother(plain, thief)).toBe(true);
  expect(isPaymentOfAnother(plain.replace(paymentReference(thief, 1), ""), victim)).toBe(false);
});

test.for(["INV-1", "LD-2027", "WORLD-12-1", "Ltd 12 1", "LDO-5-1", "LD Oil-a", "ID-12-345"])(
  "%j names nobody",
  (honest) => {
    expect(isPaymentOfAnother(honest, thief)).toBe(false);
  },
);
