import { expect, test } from "vitest";
import { listPages } from "../bench/pages-browser.ts";
import { EXAMPLES } from "../bench/pages-examples.ts";

test("the benchmark visits every page of the dashboard, also those of one object", () => {
  const examples = Object.fromEntries(Object.keys(EXAMPLES).map((route) => [route, "/example"]));
  const visited = listPages(examples).map(({ route }) => route);
  expect(visited.length).toBeGreaterThan(50);
  expect(Object.keys(EXAMPLES).filter((route) => !visited.includes(route))).toEqual([]);
});
