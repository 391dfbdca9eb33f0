import { expect, test } from "vitest";
import { untilText } from "./until.tsx";

test("a wait is told in its two largest units", () => {
  expect([-3, 0, 5, 252, 7_500].map(untilText)).toEqual(["now", "now", "in 5 s", "in 4 min 12 s", "in 2 h 5 min"]);
});
