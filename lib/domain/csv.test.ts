import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

/** As spreadsheets do: quotes count where a cell begins and nowhere else, and what follows the second one is kept. */
function readLeniently(text: string, delimiter: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] === '"' && text[at + 1] === '"') at++;
        else if (text[at] === '"') break;
        cell += text[at];
      }
      at++;
    }
    while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") cell += text[at++];
    cells.push(cell);
    at++;
  }
  return cells;
}

const hostile = fc
  .array(
    fc.constantFrom(
      "=1+1",
      "=",
      "+",
      "-",
      "@x",
      "＝",
      ";",
      ",",
      "\t",
      "\n",
      "\r\n",
      '"',
      '""',
      "'",
      " ",
      "a",
      "-5",
      "1",
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(""));
const cells = fc.array(fc.oneof(hostile, fc.string()), { minLength: 1, maxLength: 5 });
const isFormula = (cell: string) => /^[\s"]*[=+\-@＝＋－＠]/.test(cell) && !/^-\d+(\.\d+)?$/.test(cell);

test.each([",", ";", "\t"])("no cell is a formula in a spreadsheet that separates cells by %j", (delimiter) => {
  fc.assert(
    fc.property(fc.array(cells, { minLength: 1, maxLength: 3 }), (records) => {
      const text = records.map(csvRecord).join("");
      expect(readLeniently(text, delimiter).filter(isFormula)).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});

test("any cells read back unchanged after removing the formula guards", () => {
  fc.assert(
    fc.property(cells, (written) => {
      const [read] = readCsv(csvRecord(written));
      expect(read?.map((cell, index) => (cell === written[index] ? cell : withoutFormulaGuard(cell)))).toEqual(written);
    }),
    { numRuns: 3_000 },
  );
});

test("only the apostrophe of a formula guard is removed", () => {
  for (const text of ["=1+1", "+49 30", "@x", "-a", "'=1", "''=1", " =1", "a;=b", "a;'=b", "a;\t=b", 'a\n"=b']) {
    const [[cell = ""] = []] = readCsv(csvRecord([text]));
    expect(cell).not.toBe(text);
    expect(withoutFormulaGuard(cell)).toBe(text);
  }
  for (const text of ["'t Hart", "'", "=1+1", "", "a;b", "it's; fine"]) expect(withoutFormulaGuard(text)).toBe(text);
});

test("all CSV is built here: `csvDownload` accepts nothing else, and no module writes CSV around it", () => {
  const root = join(import.meta.dirname, "..", "..");
  const files = globSync("{app,components,lib}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: ["**/*.test.ts", "lib/db/generated/**"],
  });
  const sources = files.map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
  const named = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
  expect(named(/"text\/(?:csv|tab)/i).toSorted()).toEqual([
    "components/import/download-problems.ts",
    "lib/dashboard/download.ts",
  ]);
  expect(named(/as CsvText/)).toEqual(["lib/domain/csv.ts"]);
  expect(readFileSync(join(root, "lib/dashboard/download.ts"), "utf8")).toContain("AsyncGenerator<CsvText>");
  expect(readFileSync(join(root, "components/import/download-problems.ts"), "utf8")).toContain(
    "const parts: CsvText[] =",
  );
});

test.each(["\n", "\n="])("a long cell of %j takes a moment", (piece) => {
  const start = process.cpuUsage();
  const text = piece.repeat(200_000);
  expect(withoutFormulaGuard(csvRecord([text]).slice(1, -3))).toBe(text);
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
});

test.each([
  [["plain", "12.50", "-3.000", ""], "plain,12.50,-3.000,\r\n"],
  [["-3.000", "x"], "'-3.000,x\r\n"],
  [['say "hi"', "a,b", "two\nlines"], '"say ""hi""","a,b","two\nlines"\r\n'],
  [["=1+1", "+49 30", "-1+1", "@x"], "'=1+1,'+49 30,'-1+1,'@x\r\n"],
  [["a;b", "a\tb", "x;=1+1"], '"a;b","a\tb","x;\'=1+1"\r\n'],
  [["\t=1+1", "\r=1", "a;\t@x", "a;b"], '"\'\t\'=1+1","\'\r\'=1","a;\'\t\'@x","a;b"\r\n'],
  [["web1.example.com", "a-b; c"], 'web1.example.com,"a-b; c"\r\n'],
])("%j", (written, record) => expect(csvRecord(written)).toBe(record));
