export type Row = Readonly<Record<string, unknown>>;

const BATCH = 500;

/** Texts of others may hold escape sequences of terminals. */
export function cellOf(value: unknown): string {
  return String(value ?? "").replaceAll(/\p{Cc}/gu, "�");
}

/** Rows in columns, two spaces apart. */
export function aligned(rows: readonly (readonly string[])[], atLeast: readonly number[] = []): string {
  const widths = widthsOf(rows, atLeast);
  return rows
    .map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("");
}

function widthsOf(rows: readonly (readonly string[])[], atLeast: readonly number[]): number[] {
  const widths = [...atLeast];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return widths;
}

export interface Printer {
  /** One object: a line for each field. */
  one(value: object): void;
  /** A table, in batches, so that it may be long. `cells` are the columns of a row. */
  rows<T extends object>(values: Iterable<T> | AsyncIterable<T>, cells: (value: T) => Row): Promise<void>;
}

export function createPrinter(output: NodeJS.WritableStream, json: boolean): Printer {
  let widths: number[] = [];
  let hasHeader = false;

  function flush(batch: readonly Row[]): void {
    const [first] = batch;
    if (!first) return;
    const header = hasHeader ? [] : [Object.keys(first).map((name) => name.toUpperCase())];
    hasHeader = true;
    const rows = [...header, ...batch.map((row) => Object.values(row).map(cellOf))];
    widths = widthsOf(rows, widths);
    output.write(aligned(rows, widths));
  }

  return {
    one(value) {
      if (json) output.write(`${JSON.stringify(value)}\n`);
      else output.write(aligned(Object.entries(value).map(([name, field]) => [name, cellOf(field)])));
    },
    async rows(values, cells) {
      let batch: Row[] = [];
      for await (const value of values) {
        if (json) output.write(`${JSON.stringify(value)}\n`);
        else if (batch.push(cells(value)) === BATCH) {
          flush(batch);
          batch = [];
        }
      }
      flush(batch);
    },
  };
}

export function formatMoney(amount: number, currency: string): string {
  const usual = new Intl.NumberFormat("en-US", { style: "currency", currency });
  // Intl rounds some currencies to whole units; what is asked about is what is charged.
  const digits = Math.max(usual.resolvedOptions().maximumFractionDigits ?? 0, decimalsOf(amount));
  return new Intl.NumberFormat("en-US", { style: "currency", currency, maximumFractionDigits: digits }).format(amount);
}

function decimalsOf(amount: number): number {
  return String(amount).split(".")[1]?.length ?? 0;
}
