import fc from "fast-check";
import { expect, test } from "vitest";
import { csvRecord, withoutFormulaGuard } from "./csv.ts";

/** A reader of RFC 4180, written apart from the writer. */
function readCsv(text: string): string[][] {
  const records: string[][] = [[]];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (quoted && char === '"' && text[i + 1] === '"') {
      cell += '"';
      i++;
    } else if (char === '"') quoted = !quoted;
    else if (!quoted && char === ",") {
      records.at(-1)?.push(cell);
      cell = "";
    } else if (!quoted && char === "\r" && text[i + 1] === "\n") {
      records.at(-1)?.push(cell);
      cell = "";
      records.push([]);
      i++;
    } else cell += char;
  }
  return records.slice(0, -1);
}

test("any cells can be read back, but for the apostrophe that keeps them from being formulas", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 5 }), (cells) => {
      const [read] = readCsv(csvRecord(cells));
      expect(read?.map((cell, i) => (cell === `'${cells[i]}` ? cells[i] : cell))).toEqual(cells);
      for (const cell of read ?? []) expect(cell).not.toMatch(/^[=+@\t\r\n]|^-(?!\d)/);
    }),
  );
});

test("the apostrophe that keeps a cell from being a formula can be taken away again, and no other", () => {
  for (const text of ["=1+1", "+49 30", "@x", "-a"]) {
    const [[cell = ""] = []] = readCsv(csvRecord([text]));
    expect(cell).toBe(`'${text}`);
    expect(withoutFormulaGuard(cell)).toBe(text);
  }
  for (const text of ["'t Hart", "'", "=1+1", ""]) expect(withoutFormulaGuard(text)).toBe(text);
});

test.each([
  [["plain", "12.50", "-3.000", ""], "plain,12.50,-3.000,\r\n"],
  [['say "hi"', "a,b", "two\nlines"], '"say ""hi""","a,b","two\nlines"\r\n'],
  [["=1+1", "+49 30", "-1+1", "@x"], "'=1+1,'+49 30,'-1+1,'@x\r\n"],
])("%j", (cells, record) => expect(csvRecord(cells)).toBe(record));
