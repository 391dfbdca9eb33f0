import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkPasswordRules, createOneTimePassword } from "./password.ts";

const email = "ada@example.com";

test.each([
  ["short", /at least 12/],
  ["aaaaaaaaaaaaaaaa", /different/],
  [`${"x".repeat(196)}abcde`, /at most 200/],
  ["my ADA@example.com", /email/],
])("%j is refused", (password, problem) => {
  expect(checkPasswordRules(password, { email })).toMatch(problem);
});

test("a sentence is accepted as a password", () => {
  expect(checkPasswordRules("correct horse battery", { email })).toBeNull();
});

test("a one-time password satisfies the rules and has no look-alike letters", () => {
  fc.assert(
    fc.property(fc.noShrink(fc.constant(null)), () => {
      const made = createOneTimePassword((count) => randomBytes(count));
      return /^([a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}$/.test(made) && checkPasswordRules(made, { email }) === null;
    }),
  );
});

test("bytes that would bias the letters are discarded", () => {
  const given = [new Uint8Array(20).fill(255), new Uint8Array(20).fill(30)];
  expect(createOneTimePassword(() => given.shift() ?? new Uint8Array())).toBe("99999-99999-99999-99999");
});
