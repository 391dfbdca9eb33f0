import { CsvError, type Info, parse } from "csv-parse/sync";

/** One record with its first line, counted from 1. */
export interface CsvLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The problem in malformed CSV and its line. */
export interface CsvProblem {
  readonly line: number;
  readonly message: string;
}

/** Bounds the first line, which names six columns. */
const HEAD_LENGTH = 10_000;
/** A record has six cells and may have unknown ones. */
const MAX_CELLS = 100;
/** Bounds a record: notes with every character doubled as a quote, and as much again. */
const MAX_RECORD_LENGTH = 20_000;
/** Bounds the empty records that spreadsheets write below a table; each takes time to skip. */
const MAX_BLANK_RECORDS = 2_000;
/** Comma, semicolon (where the comma is the decimal sign), tab (when copying). */
const delimiters = [",", ";", "\t"] as const;

/**
 * Reads CSV (RFC 4180) as spreadsheets write it: with or without byte order mark and quotes, any line ending, and the
 * delimiter most frequent in the first line. Skips empty lines. Memory and time are bounded for any input.
 * @param maxRecords stops after reading one record more than this
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
        if (index >= MAX_CELLS) throw new LimitExceeded(lines, `there are more than ${MAX_CELLS} cells`);
        return cell;
      },
      on_record(cells: string[], { lines }: Info) {
        endedOnLine = lines;
        if (cells.every((cell) => cell.trim() === "")) {
          blankCount += 1;
          if (blankCount > MAX_BLANK_RECORDS) throw new LimitExceeded(lines, "there are too many blank lines");
        } else if (records.length <= maxRecords) records.push({ line: lines - lineEndsIn(cells), cells });
        return null;
      },
    });
  } catch (error) {
    if (error instanceof LimitExceeded) return { line: error.line, message: error.message };
    if (error instanceof CsvError) return toCsvProblem(error, endedOnLine + 1);
    throw error;
  }
  return records;
}

class LimitExceeded extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** The parser reports the line where it stopped; an unclosed quote was opened earlier. */
function toCsvProblem({ code, lines }: CsvError, line: number): CsvProblem {
  if (code === "CSV_QUOTE_NOT_CLOSED") return { line, message: "a quote is never closed" };
  const stoppedOnLine = Number(lines);
  if (code === "CSV_MAX_RECORD_SIZE")
    return { line: stoppedOnLine, message: `there are more than ${MAX_RECORD_LENGTH} characters in a row` };
  if (code === "CSV_INVALID_CLOSING_QUOTE") {
    return { line: stoppedOnLine, message: "there is text after a closing quote" };
  }
  return { line: stoppedOnLine, message: "a quote inside a cell must be doubled, and the cell quoted" };
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
