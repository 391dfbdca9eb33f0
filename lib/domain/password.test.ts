import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeOneTimePassword, passwordProblem } from "./password.ts";

const email = "ada@example.com";

test.each([
  ["short", /at least 12/],
  ["aaaaaaaaaaaaaaaa", /different/],
  [`${"x".repeat(196)}abcde`, /at most 200/],
  ["my ADA@example.com", /email/],
])("%j is refused", (password, problem) => {
  expect(passwordProblem(password, { email })).toMatch(problem);
});

test("a sentence is a password", () => {
  expect(passwordProblem("correct horse battery", { email })).toBeNull();
});

test("a one-time password satisfies the rule, and has no letter that looks like another", () => {
  fc.assert(
    fc.property(fc.noShrink(fc.constant(null)), () => {
      const made = makeOneTimePassword((count) => randomBytes(count));
      return /^([a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}$/.test(made) && passwordProblem(made, { email }) === null;
    }),
  );
});

test("bytes that would favor a letter are not used", () => {
  const given = [new Uint8Array(20).fill(255), new Uint8Array(20).fill(30)];
  expect(makeOneTimePassword(() => given.shift() ?? new Uint8Array())).toBe("99999-99999-99999-99999");
});
