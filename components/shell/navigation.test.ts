import { expect, test } from "vitest";
import { countText, isCurrent } from "./navigation.ts";

test.each([
  ["/licenses", "/licenses", true],
  ["/licenses", "/licenses/12", true],
  ["/licenses", "/licenses-archive", false],
  ["/", "/", true],
  ["/", "/licenses", false],
])("from %s, the page %s is its own or deeper: %s", (href, pathname, expected) => {
  expect(isCurrent(href, pathname)).toBe(expected);
});

test.each([
  [1, "1"],
  [99, "99"],
  [100, "99+"],
  [12_345, "99+"],
])("%i that wait are shown as %s", (count, expected) => {
  expect(countText(count)).toBe(expected);
});
