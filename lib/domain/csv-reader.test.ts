import fc from "fast-check";
import { expect, test } from "vitest";
import { csvRecord } from "./csv.ts";
import { readCsv } from "./csv-reader.ts";

const MANY = 1000;
/** Not blank, so that no record is left out; what the writer would put an apostrophe before is tested there. */
const cell = fc
  .string({ unit: fc.constantFrom("a", "ü", " ", '"', ",", ";", "\t", "\n", "\r", "\r\n", "😀") })
  .map((text) => `x${text}`);

function cellsOf(text: string): readonly (readonly string[])[] {
  const read = readCsv(text, MANY);
  if ("message" in read) throw new Error(`${read.line}: ${read.message}`);
  return read.map(({ cells }) => cells);
}

test("written CSV reads back unchanged", () => {
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 }), (rows) => {
      const text = `head,er\r\n${rows.map(csvRecord).join("")}`;
      expect(cellsOf(text).slice(1)).toEqual(rows);
    }),
  );
});

test.each([",", ";", "\t"])("the delimiter is the one that the first line has most of: %j", (delimiter) => {
  fc.assert(
    fc.property(
      fc.constantFrom("\r\n", "\n", "\r"),
      fc.constantFrom("", "\uFEFF"),
      fc.boolean(),
      fc.array(fc.tuple(cell, cell), { maxLength: 4 }),
      (lineEnd, mark, endsInLineEnd, rows) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const lines = [["a", "b"], ...rows].map((cells, index) =>
          cells.map(index === 0 ? String : quote).join(delimiter),
        );
        const text = mark + lines.join(lineEnd) + (endsInLineEnd ? lineEnd : "");
        expect(cellsOf(text)).toEqual([["a", "b"], ...rows]);
      },
    ),
  );
});

test("every record reports its first line, despite quoted and blank lines", () => {
  const read = readCsv('a,b\r\n\r\n1,"two\nlines\rand three"\n , \nlast,"x"', MANY);
  expect(read).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 3, cells: ["1", "two\nlines\rand three"] },
    { line: 7, cells: ["last", "x"] },
  ]);
});

test.each([
  ['a,b\n1,"open\n2,3', { line: 2, message: "a quote is never closed" }],
  ['a,b\n1,5" disk\n', { line: 2, message: "a quote inside a cell must be doubled, and the cell quoted" }],
  ['a,b\n1,"x\ny"z\n', { line: 3, message: "there is text after a closing quote" }],
])("%j says what is wrong on which line", (text, problem) => expect(readCsv(text, MANY)).toEqual(problem));

test("a comma in a quoted head does not choose the delimiter", () => {
  expect(cellsOf('"a,b,c";d\n5 disks;x')).toEqual([
    ["a,b,c", "d"],
    ["5 disks", "x"],
  ]);
});

test("reading stops one record after the limit; empty input has no records", () => {
  expect(readCsv("a\n".repeat(50), 10)).toHaveLength(11);
  for (const text of ["", "\uFEFF", "\r\n\n", " , , \n"]) expect(readCsv(text, MANY)).toEqual([]);
});

const FOUR_MB = 4_000_000;
const filled = (piece: string) => `a,b\n1,2\n${piece.repeat(FOUR_MB / piece.length)}`;

test.each([
  ["empty lines", "\n", null],
  ["lines of a blank", " \n", { line: 2_003, message: "there are too many blank lines" }],
  ["lines of delimiters", ",\n", { line: 2_003, message: "there are too many blank lines" }],
  ["delimiters", ",", { line: 3, message: "there are more than 100 cells" }],
  ["quoted line ends between delimiters", '"\n",', { line: 104, message: "there are more than 100 cells" }],
  ["one cell", "x", { line: 3, message: "there are more than 20000 characters in a row" }],
  ["quotes", '""', { line: 3, message: "there are more than 20000 characters in a row" }],
  ["quoted line ends", '"\n', { line: 4_004, message: "there are too many blank lines" }],
] as const)("four megabytes of %s take a moment, and little memory", (_what, piece, problem) => {
  const text = filled(piece);
  const start = process.cpuUsage();
  const read = readCsv(text, 10_000);
  expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
  if (problem === null) expect(read).toHaveLength(2);
  else expect(read).toEqual(problem);
});
