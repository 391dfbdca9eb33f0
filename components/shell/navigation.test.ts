import { expect, test } from "vitest";
import { isCurrent } from "./navigation.ts";

test.each([
  ["/licenses", "/licenses", true],
  ["/licenses", "/licenses/12", true],
  ["/licenses", "/licenses-archive", false],
  ["/", "/", true],
  ["/", "/licenses", false],
])("from %s, the page %s is its own or deeper: %s", (href, pathname, expected) => {
  expect(isCurrent(href, pathname)).toBe(expected);
});
