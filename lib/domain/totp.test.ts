import { expect, test } from "vitest";
import { createTotpSecret, findTotpStep, totpUri } from "./totp.ts";

/** The key of RFC 6238, appendix B. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const at = (seconds: number) => new Date(seconds * 1_000);

test.each([
  [59, "287082", 1],
  [1_111_111_109, "081804", 37_037_036],
  [20_000_000_000, "353130", 666_666_666],
])("the code of RFC 6238 at second %i is of its step", (seconds, code, step) => {
  expect(findTotpStep(SECRET, code, at(seconds))).toBe(step);
});

test("a code is accepted one step early and late, and no further", () => {
  for (const seconds of [0, 30, 60]) expect(findTotpStep(SECRET, "287082", at(seconds))).toBe(1);
  for (const seconds of [90, 1_200]) expect(findTotpStep(SECRET, "287082", at(seconds))).toBeNull();
});

test.each(["287083", "28708", "2870820", " 287082", "28708a", "", "２８７０８２"])("%j is no code", (code) => {
  expect(findTotpStep(SECRET, code, at(59))).toBeNull();
});

test("a new secret has 160 bits, and its address names product and user", () => {
  const secret = createTotpSecret((count) => new Uint8Array(count).fill(255));
  expect(secret).toBe("7".repeat(32));
  const uri = new URL(totpUri(secret, "ada@example.com"));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    "otpauth:",
    "totp",
    "/License Desk:ada@example.com",
  ]);
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ issuer: "License Desk", secret, digits: "6" });
});
