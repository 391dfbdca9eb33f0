import { CsvError, type Info, parse } from "csv-parse/sync";

/** One record with the line on which it begins, counted from 1. */
export interface CsvLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A text that is no CSV: what is wrong on which line. */
export interface CsvProblem {
  readonly line: number;
  readonly message: string;
}

/** No first line is longer: there are six columns. */
const HEAD_LENGTH = 10_000;
/** A record has six cells, and may have some that mean nothing here. */
const MAX_CELLS = 100;
/** Characters of a record: notes whose every character is a doubled quote, and as much again. */
const MAX_RECORD_LENGTH = 20_000;
/** Records without a value, as spreadsheets write them below a table. Each takes time, and none is kept. */
const MAX_BLANK_RECORDS = 2_000;
/** What spreadsheets write: the comma, or the semicolon where the comma is the decimal sign, or the tab when copying. */
const delimiters = [",", ";", "\t"] as const;

/**
 * Reads CSV (RFC 4180) as spreadsheets write it: with or without byte order mark, quotes, lines that end in CRLF, LF or
 * CR, and the delimiter that the first line has most of. Empty lines are left out. Whatever the text, reading takes
 * little memory, and no longer than a table of that size.
 * @param maxRecords reading ends behind the one after so many
 */
export function readCsv(text: string, maxRecords: number): readonly CsvLine[] | CsvProblem {
  const records: CsvLine[] = [];
  let endedOnLine = 0;
  let blankCount = 0;
  try {
    parse(text, {
      bom: true,
      delimiter: findDelimiter(text),
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD_LENGTH,
      to: maxRecords + 1 + MAX_BLANK_RECORDS,
      cast(cell, { index, lines }) {
        if (index >= MAX_CELLS) throw new TooMuch(lines, `there are more than ${MAX_CELLS} cells`);
        return cell;
      },
      on_record(cells: string[], { lines }: Info) {
        endedOnLine = lines;
        if (cells.every((cell) => cell.trim() === "")) {
          blankCount += 1;
          if (blankCount > MAX_BLANK_RECORDS) throw new TooMuch(lines, "there are too many blank lines");
        } else if (records.length <= maxRecords) records.push({ line: lines - lineEndsIn(cells), cells });
        return null;
      },
    });
  } catch (error) {
    if (error instanceof TooMuch) return { line: error.line, message: error.message };
    if (error instanceof CsvError) return problemOf(error, endedOnLine + 1);
    throw error;
  }
  return records;
}

class TooMuch extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** The parser says on which line it stopped; a quote that is never closed was opened somewhere before. */
function problemOf({ code, lines }: CsvError, line: number): CsvProblem {
  if (code === "CSV_QUOTE_NOT_CLOSED") return { line, message: "a quote is opened that is never closed" };
  const stoppedOnLine = Number(lines);
  if (code === "CSV_MAX_RECORD_SIZE")
    return { line: stoppedOnLine, message: `there are more than ${MAX_RECORD_LENGTH} characters in a row` };
  if (code === "CSV_INVALID_CLOSING_QUOTE") {
    return { line: stoppedOnLine, message: "there is text behind a closing quote" };
  }
  return { line: stoppedOnLine, message: "a quote inside of a cell is to be doubled, and the cell to be quoted" };
}

function lineEndsIn(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + cell.split(/\r\n|\r|\n/).length - 1, 0);
}

function findDelimiter(text: string): string {
  const [firstLine = ""] = text
    .slice(0, HEAD_LENGTH)
    .replaceAll(/"[^"]*"/g, "")
    .trimStart()
    .split(/[\r\n]/, 1);
  const count = (delimiter: string) => firstLine.split(delimiter).length;
  return delimiters.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}
