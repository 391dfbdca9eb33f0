import fc from "fast-check";
import { expect, test } from "vitest";
import { returnPath } from "./return-path.ts";

test.each([
  ["/licenses?q=web&status=active", "/licenses?q=web&status=active"],
  ["/licenses/12#history", "/licenses/12#history"],
  ["/licenses/./12/../13", "/licenses/13"],
  ["/licenses//12", "/licenses//12"],
  ["/licenses?next=//elsewhere.example", "/licenses?next=//elsewhere.example"],
  [undefined, "/"],
  [["/a", "/b"], "/"],
  ["", "/"],
  ["licenses", "/"],
  ["https://elsewhere.example/licenses", "/"],
  ["//elsewhere.example", "/"],
  ["/.//elsewhere.example/x", "/"],
  ["/..//elsewhere.example/x", "/"],
  ["/a/..//elsewhere.example/x", "/"],
  ["/%2e//elsewhere.example/x", "/"],
  ["/%2E%2e//elsewhere.example/x", "/"],
  ["/.\\/elsewhere.example/x", "/"],
  ["/.\t//elsewhere.example/x", "/"],
  ["/\n.\r//elsewhere.example/x", "/"],
  ["/.///elsewhere.example", "/"],
  ["/\\elsewhere.example", "/"],
  ["/\t/elsewhere.example", "/"],
  ["javascript:alert(1)", "/"],
  ["/sign-in?next=/licenses", "/"],
] as const)("after signing in, %j leads to %s: never to another site, never back to signing in", (next, expected) => {
  expect(returnPath(next)).toBe(expected);
});

const pieces = [
  "/",
  "\\",
  ".",
  "..",
  "%2e",
  "%2f",
  "%5c",
  "%09",
  "\t",
  "\n",
  "\r",
  " ",
  "\0",
  "@",
  ":",
  "?",
  "#",
  "[",
  "]",
];
const words = ["evil.example", "http:", "https://", "javascript:", "licenses", "．", "／", "＼", "%", "ä"];

test("any address keeps the browser on this site, and the result is idempotent", () => {
  const hostile = fc.array(fc.constantFrom(...pieces, ...words), { maxLength: 12 }).map((parts) => parts.join(""));
  const next = fc.oneof(
    hostile.map((text) => `/${text}`),
    fc.string({ unit: "binary" }).map((text) => `/${text}`),
    hostile,
  );
  fc.assert(
    fc.property(next, fc.constantFrom("https://desk.example", "http://127.0.0.1:3000"), (wanted, site) => {
      const path = returnPath(wanted);
      expect(new URL(path, `${site}/sign-in`).origin).toBe(site);
      expect(path).toMatch(/^\/(?![/\\])/);
      expect(returnPath(path)).toBe(path);
    }),
    { numRuns: 5_000 },
  );
});
