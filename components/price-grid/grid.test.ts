import fc from "fast-check";
import { expect, test } from "vitest";
import {
  changeByPercent,
  findAmountProblem,
  type GridCell,
  normalizeAmount,
  readTsv,
  step,
  stepInOrder,
  toTsv,
} from "./grid.ts";

test("amounts of spreadsheets lose their symbols and grouping, and what is none stays as it is", () => {
  expect(["$1,234.5", "1.234,50 €", "CHF 12", " 7 "].map((text) => normalizeAmount(text, "USD"))).toEqual([
    "1234.50",
    "1234.50",
    "12.00",
    "7.00",
  ]);
  for (const text of ["abc", "$", "-1", "1.2.3"])
    expect(findAmountProblem(normalizeAmount(text, "USD"), "USD"), text).not.toBeNull();
  expect(findAmountProblem("", "USD")).toBeNull();
});

test("a percentage is rounded half up to the smallest unit, and never makes an amount negative", () => {
  expect(changeByPercent("14.50", "USD", -1_500n)).toBe("12.33");
  expect(changeByPercent("2150", "JPY", -1_500n)).toBe("1828");
  expect(changeByPercent("10", "USD", -20_000n)).toBe("0.00");
  expect(changeByPercent("abc", "USD", 100n)).toBeNull();
});

test("a copied block is pasted as it was", () => {
  const cell = fc.stringMatching(/^[\d.,]{0,8}$/);
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (block) => {
      expect(readTsv(`${toTsv(block)}\r\n`)).toEqual(block);
    }),
  );
});

test("arrows skip what cannot be typed into and stop at the edge; Tab goes line by line and out at the end", () => {
  const cell = {} as GridCell;
  const cells = [
    [cell, null, cell],
    [cell, cell, cell],
  ];
  expect(step(cells, { row: 0, column: 0 }, { row: 0, column: 1 })).toEqual({ row: 0, column: 2 });
  expect(step(cells, { row: 0, column: 2 }, { row: 0, column: 1 })).toEqual({ row: 0, column: 2 });
  expect(step(cells, { row: 1, column: 1 }, { row: -1, column: 0 })).toEqual({ row: 1, column: 1 });
  expect(stepInOrder(cells, { row: 0, column: 2 }, 1)).toEqual({ row: 1, column: 0 });
  expect(stepInOrder(cells, { row: 1, column: 2 }, 1)).toBeNull();
});
