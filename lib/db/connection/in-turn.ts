import { Turns } from "#lib/domain/turns.ts";
import { wholeDatabases } from "./batch.ts";
import type { Database } from "./client.ts";
import { unavailable } from "./errors.ts";

/** As long as a statement waits for a connection. */
const PATIENCE_MS = 5_000;

/** For each pool of a process. */
export interface ConnectionTurns {
  readonly primary: Turns;
  readonly replica: Turns;
  /** Called before a statement that got no turn is refused. */
  readonly refused: () => void;
}

/**
 * Shares each pool among resellers. One connection is left for the process's own statements, and a reseller has at most
 * half of the others, so that not even its live and test mode together use up all.
 */
export function createConnectionTurns(poolSize: number, refused: () => void): ConnectionTurns {
  const slots = Math.max(1, poolSize - 1);
  const options = { slots, slotsOfOne: Math.max(1, slots >> 1), patienceMs: PATIENCE_MS };
  return { primary: new Turns(options), replica: new Turns(options), refused };
}

/**
 * The database for one request of a reseller, whose statements and transactions wait for their turn. Statements in
 * batches do not: resellers share those, a few at a time.
 * @throws DomainError `unavailable` if no turn came
 */
export function inTurn(database: Database, turns: ConnectionTurns, owner: number): Database {
  let openTransactions = 0;

  async function run<Result>(pool: Turns, work: () => Promise<Result>): Promise<Result> {
    // Beside its own transaction: if these waited for a turn, all of a reseller's transactions could wait for each other.
    if (openTransactions > 0) return work();
    const done = await pool.take(owner, async () => ({ result: await work() }));
    if (done !== null) return done.result;
    turns.refused();
    throw unavailable();
  }

  /** A transaction has its turn until it ends. */
  function begin(db: Database): Database["begin"] {
    return (writesInSafeMode) =>
      new Promise((resolve, reject) => {
        run(turns.primary, async () => {
          const transaction = await db.begin(writesInSafeMode);
          openTransactions++;
          const ended = Promise.withResolvers<void>();
          resolve({
            ...transaction,
            commit: () => transaction.commit().finally(ended.resolve),
            rollback: () => transaction.rollback().finally(ended.resolve),
          });
          await ended.promise;
          openTransactions--;
        }).catch(reject);
      });
  }

  function share(db: Database): Database {
    const pool = db.query === database.query ? turns.primary : turns.replica;
    const shared: Database = {
      ...db,
      query: (...query) => run(pool, () => db.query(...query)),
      begin: begin(db),
      reads: async () => share(await db.reads()),
    };
    wholeDatabases.set(shared, () => db);
    return shared;
  }

  return share(database);
}
