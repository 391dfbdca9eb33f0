import { expect, test } from "vitest";
import { returnPath } from "./return-path.ts";

test.each([
  ["/licenses?q=web&status=active", "/licenses?q=web&status=active"],
  ["/licenses/12#history", "/licenses/12#history"],
  [undefined, "/"],
  [["/a", "/b"], "/"],
  ["", "/"],
  ["licenses", "/"],
  ["https://elsewhere.example/licenses", "/"],
  ["//elsewhere.example", "/"],
  ["/\\elsewhere.example", "/"],
  ["/\t/elsewhere.example", "/"],
  ["javascript:alert(1)", "/"],
  ["/sign-in?next=/licenses", "/"],
] as const)("after signing in, %j leads to %s: never to another site, never back to signing in", (next, expected) => {
  expect(returnPath(next)).toBe(expected);
});
