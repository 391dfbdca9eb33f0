import type { PoolUse } from "#lib/domain/figures.ts";
import { Turns } from "#lib/domain/turns.ts";
import type { Database } from "./client.ts";
import { unavailable } from "./errors.ts";
import type { Statement } from "./statement.ts";
import type { Transaction } from "./transaction.ts";

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

interface RequestInTurn {
  readonly database: Database;
  readonly turns: ConnectionTurns;
  readonly owner: number;
  openTransactions: number;
}

/**
 * The database for one request of a reseller, whose statements and transactions wait for their turn. Statements in
 * batches do not: resellers share those, a few at a time.
 * @throws DomainError `unavailable` if no turn came
 */
export function inTurn(database: Database, turns: ConnectionTurns, owner: number): Database {
  return new DatabaseInTurn(database, turns.primary, { database, turns, owner, openTransactions: 0 });
}

/** A class, because every request gets one and a verification uses none of its methods: closures would take a microsecond. */
class DatabaseInTurn implements Database {
  readonly prisma: Database["prisma"];
  readonly writeBehind: Database["writeBehind"];
  readonly #db: Database;
  readonly #pool: Turns;
  readonly #request: RequestInTurn;

  constructor(db: Database, pool: Turns, request: RequestInTurn) {
    this.prisma = db.prisma;
    this.writeBehind = db.writeBehind;
    this.#db = db;
    this.#pool = pool;
    this.#request = request;
  }

  shared(): Database {
    return this.#db;
  }

  query<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    return run(this.#request, this.#pool, () => this.#db.query(statement, values));
  }

  /** The transaction has its turn until it ends. */
  begin(writesInSafeMode?: boolean): Promise<Transaction> {
    const begun = Promise.withResolvers<Transaction>();
    run(this.#request, this.#request.turns.primary, async () => {
      const transaction = await this.#db.begin(writesInSafeMode);
      this.#request.openTransactions++;
      const ended = Promise.withResolvers<void>();
      begun.resolve({
        ...transaction,
        commit: () => transaction.commit().finally(ended.resolve),
        rollback: () => transaction.rollback().finally(ended.resolve),
      });
      await ended.promise;
      this.#request.openTransactions--;
    }).catch(begun.reject);
    return begun.promise;
  }

  async reads(): Promise<Database> {
    const { database, turns } = this.#request;
    const reads = await this.#db.reads();
    return new DatabaseInTurn(reads, reads.query === database.query ? turns.primary : turns.replica, this.#request);
  }

  poolUse(): PoolUse {
    return this.#db.poolUse();
  }

  close(): Promise<void> {
    return this.#db.close();
  }
}

async function run<Result>(request: RequestInTurn, pool: Turns, work: () => Promise<Result>): Promise<Result> {
  // Beside its own transaction: if these waited for a turn, all of a reseller's transactions could wait for each other.
  if (request.openTransactions > 0) return work();
  const done = await pool.take(request.owner, async () => ({ result: await work() }));
  if (done !== null) return done.result;
  request.turns.refused();
  throw unavailable();
}
