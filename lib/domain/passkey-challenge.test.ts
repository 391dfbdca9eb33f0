import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createPasskeyChallenge, findChallengeEnd } from "./passkey-challenge.ts";

const now = new Date("2027-03-10T12:00:00Z");
const later = (ms: number) => new Date(now.getTime() + ms);
const FIVE_MINUTES_MS = 300_000;
const own = { purpose: "prove:7", secret: "a secret of tests", now } as const;
const create = () => Buffer.from(createPasskeyChallenge(own, (count) => randomBytes(count))).toString("base64url");

test("a challenge is valid for five minutes", () => {
  expect(findChallengeEnd(create(), own)).toEqual(later(FIVE_MINUTES_MS));
  expect(findChallengeEnd(create(), { ...own, now: later(FIVE_MINUTES_MS - 1) })).not.toBeNull();
  expect(findChallengeEnd(create(), { ...own, now: later(FIVE_MINUTES_MS) })).toBeNull();
});

test.each([
  ["another user", { ...own, purpose: "prove:8" }],
  ["another purpose", { ...own, purpose: "register:7" }],
  ["signing in", { ...own, purpose: "sign-in" }],
  ["another server", { ...own, secret: "another secret" }],
] as const)("a challenge is not valid for %s", (_, other) => {
  expect(findChallengeEnd(create(), other)).toBeNull();
});

test("a challenge cannot be prolonged, shortened or made up", () => {
  const bytes = Buffer.from(create(), "base64url");
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(findChallengeEnd(changed.toString("base64url"), own)).toBeNull();
  }
  for (const made of ["", "AAAA", bytes.subarray(1).toString("base64url")])
    expect(findChallengeEnd(made, own)).toBeNull();
});

test("no two challenges are the same", () => {
  expect(create()).not.toBe(create());
});
