import type pg from "pg";
import { traced } from "#lib/domain/trace.ts";
import { sharedDatabase } from "./batch.ts";
import type { Database } from "./client.ts";
import { spanNamed, spanOf } from "./span.ts";
import { bindValues, readRows } from "./statement.ts";
import { withQuery } from "./with-query.ts";

/**
 * A transaction on its own connection. Keep it short and without other I/O, because it holds locks. The database rolls
 * back one that is left idle.
 */
export interface Transaction {
  readonly query: Database["query"];
  /** Ends the transaction. @throws if it fails; `unavailable` also if its outcome is not known. */
  commit(): Promise<void>;
  /** Does nothing once the transaction has ended. Never throws: a connection that fails is closed, which rolls back. */
  rollback(): Promise<void>;
}

const IDLE_TIMEOUT_MS = 2_000;

export interface TransactionOptions {
  /** Throws an error of `pg` for the caller. */
  readonly fail: (error: unknown) => never;
  readonly named: (config: pg.QueryConfig) => pg.QueryConfig;
}

export async function beginTransaction(
  pool: pg.Pool,
  { fail, named }: TransactionOptions,
  mode: "" | "read write" = "",
): Promise<Transaction> {
  const client = await pool.connect().catch(fail);
  // A connection that breaks between two statements fails the next one.
  const ignore = () => {};
  client.on("error", ignore);
  let isOpen = true;
  const end = (failure?: Error) => {
    isOpen = false;
    client.off("error", ignore);
    client.release(failure);
  };
  /** A connection in an unknown state is closed, not reused. */
  const endBy = async (command: "COMMIT" | "ROLLBACK") => {
    try {
      const result = await client.query(named({ name: command.toLowerCase(), text: command }));
      if (result.command !== command) throw new Error("the transaction has failed");
      end();
    } catch (error) {
      end(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  };

  try {
    await client.query(`begin ${mode}; set local idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`);
  } catch (error) {
    end(error instanceof Error ? error : new Error(String(error)));
    return fail(error);
  }
  return {
    query: (statement, values) =>
      traced(spanOf(statement), async () =>
        readRows(statement, await client.query(named(bindValues(statement, values))).catch(fail)),
      ),
    commit: () => traced(spanNamed("commit"), () => endBy("COMMIT").catch(fail)),
    rollback: async () => {
      if (isOpen) await endBy("ROLLBACK").catch(() => {});
    },
  };
}

/** Writes that commit together or not at all. The first write begins the transaction. */
export interface PendingWrites {
  readonly writes: Database;
  /** Reads in the transaction once it has begun. */
  readonly reads: Database;
  hasBegun(): boolean;
  /** Calls `effect` once the writes so far may have been committed. After a rollback it is not called. */
  afterCommit(effect: () => void): void;
  commit(): Promise<void>;
  /** Never throws. Later writes begin another transaction. */
  rollback(): Promise<void>;
}

export function createPendingWrites(db: Database): PendingWrites {
  let begun: Promise<Transaction> | null = null;
  let effects: (() => void)[] = [];
  const inTransaction: Database["query"] = async (statement, values) => {
    begun ??= db.begin(statement.writesInSafeMode);
    return (await begun).query(statement, values);
  };
  const take = () => {
    const taken = { begun, effects };
    begun = null;
    effects = [];
    return taken;
  };
  const reads = withQuery(
    db,
    (...query) => (begun ? inTransaction(...query) : db.query(...query)),
    () => (begun ? reads : sharedDatabase(db)),
  );
  return {
    writes: withQuery(db, inTransaction),
    reads,
    hasBegun: () => begun !== null,
    afterCommit(effect) {
      if (begun) effects.push(effect);
      else effect();
    },
    commit: async () => {
      const taken = take();
      try {
        await (await taken.begun)?.commit();
      } finally {
        for (const effect of taken.effects) effect();
      }
    },
    rollback: async () => {
      await take().begun?.then(
        (transaction) => transaction.rollback(),
        () => {},
      );
    },
  };
}
