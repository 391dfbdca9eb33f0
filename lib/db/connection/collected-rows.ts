/** Writes what has been collected in a while, each time once what is being written has been. */
export interface Later {
  schedule(): void;
  /** At once. @param part default: everything */
  write(part?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export function writeLater(everything: () => Promise<void>, afterMs: number): Later {
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  function write(part = everything): Promise<void> {
    writing = writing.then(part);
    return writing;
  }

  return {
    write,
    schedule() {
      timer ??= setTimeout(() => {
        timer = null;
        void write();
      }, afterMs);
    },
    async close() {
      if (timer) clearTimeout(timer);
      timer = null;
      await write();
      if (timer) clearTimeout(timer);
    },
  };
}

export interface CollectedRowsOptions<Row> {
  readonly insert: (rows: readonly Row[]) => Promise<unknown>;
  /** A full statement is written at once. */
  readonly rowsPerStatement: number;
  /** While the database is unavailable, the oldest rows beyond this are dropped. */
  readonly atMost: number;
  readonly later: Pick<Later, "schedule" | "write">;
}

/** Rows that are written later, many in one statement. */
export interface CollectedRows<Row> {
  add(row: Row): void;
  write(): Promise<void>;
}

export function collectRows<Row>(options: CollectedRowsOptions<Row>): CollectedRows<Row> {
  const { insert, rowsPerStatement, atMost, later } = options;
  let rows: Row[] = [];

  /** Only the rows collected so far: later ones fill the next statement. */
  async function write(): Promise<void> {
    for (let left = rows.length; left > 0; left -= rowsPerStatement) {
      const batch = rows.splice(0, Math.min(left, rowsPerStatement));
      try {
        await insert(batch);
      } catch {
        rows = [...batch, ...rows].slice(-atMost);
        later.schedule();
        return;
      }
    }
  }

  return {
    write,
    add(row) {
      if (rows.length >= atMost) rows.shift();
      rows.push(row);
      // Rows that come faster than they are written wait for the next time: one after the other, statements cost less
      // than between those of requests.
      if (rows.length === rowsPerStatement) void later.write(write);
      else later.schedule();
    },
  };
}

/** The values of each column, as `unnest` takes them. */
export function columnsOf<Row>(rows: readonly Row[], ...names: readonly (keyof Row)[]): Row[keyof Row][][] {
  return names.map((name) => rows.map((row) => row[name]));
}
