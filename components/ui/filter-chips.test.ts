import { expect, test } from "vitest";
import { FilterChips } from "./filter-chips.tsx";

test("a filter without options is no empty navigation", () => {
  expect(FilterChips({ label: "Filter by kind", chips: [] })).toBeNull();
});
