import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "#lib/db/generated/client.ts";
import type { FailureWatch } from "#lib/domain/failure-watch.ts";
import type { PoolUse } from "#lib/domain/figures.ts";
import { traced } from "#lib/domain/trace.ts";
import { outageKindOf, translateDatabaseError, unavailable } from "./errors.ts";
import { readPoolUse } from "./pool-use.ts";
import { createPreparedNames } from "./prepared-names.ts";
import { applySocketTimeout } from "./socket-timeout.ts";
import { spanNamed, spanOf } from "./span.ts";
import { bindValues, readRows, type Statement } from "./statement.ts";
import { beginTransaction, type Transaction, type TransactionOptions } from "./transaction.ts";
import { UtcClient } from "./utc-client.ts";
import { type QueryWatch, watchQueries } from "./watch-queries.ts";
import { createWriteBehind, discardingWriteBehind, type WriteBehind } from "./write-behind.ts";

export interface Database {
  /** For statements that are neither hot nor races. */
  readonly prisma: PrismaClient;
  /** Runs a statement over the same pool. Named statements are parsed once per connection. */
  query<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
  /** For changes that need several statements. The caller ends the transaction. */
  begin(writesInSafeMode?: boolean): Promise<Transaction>;
  /** For reads that may run on a replica: lists, exports, figures. They see everything committed before. */
  reads(): Promise<Database>;
  /**
   * For what is cached or batched across requests: the database behind the view of one request. A view that sees
   * uncommitted rows returns itself.
   */
  shared?(): Database;
  /** Rows written later in batches; no response depends on them. */
  readonly writeBehind: WriteBehind;
  poolUse(): PoolUse;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName?: string;
  /** Safe mode: the server rejects statements that write, except those marked `writesInSafeMode`. */
  readonly readOnly?: boolean;
  /**
   * Whether the URL is of a connection pooler, which hands out connections by transaction: it keeps no prepared
   * statements and sets the timeouts itself (`requirePooler`).
   */
  readonly isPooled?: boolean;
  /** Notified of temporary failures of statements and connections. */
  readonly watch?: FailureWatch;
  readonly queryWatch?: QueryWatch;
}

const INT8_OID = 20;
const CONNECT_TIMEOUT_MS = 5_000;
/** A new connection plans its statements again, so idle ones are kept for a while. */
const IDLE_TIMEOUT_MS = 5 * 60_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const LOCK_TIMEOUT_MS = 5_000;
export const SESSION_TIMEOUTS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
};
/** For a server that does not report even a statement timeout. */
export const SOCKET_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000;

// Money is bigint; a number would round silently.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8_OID ? BigInt : pg.types.getTypeParser(oid, format as "text")) as pg.CustomTypesConfig["getTypeParser"],
};

/** Settings in the URL would replace ours, so they come before it. */
function startup({ url, readOnly }: DatabaseOptions): Pick<pg.PoolConfig, "connectionString" | "options"> {
  // Not by URL, which refuses addresses of sockets.
  const own = /(?<=[?&])options=[^&]*&?/.exec(url)?.[0];
  const settings = [
    ...(own === undefined ? [] : [new URLSearchParams(own).get("options")]),
    ...(readOnly ? ["-c default_transaction_read_only=on"] : []),
  ];
  return {
    connectionString: own === undefined ? url : url.replace(own, ""),
    ...(settings.length === 0 ? {} : { options: settings.join(" ") }),
  };
}

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...startup(options),
    Client: UtcClient,
    max: options.poolSize,
    application_name: options.applicationName ?? "license-desk",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    ...(options.isPooled ? {} : SESSION_TIMEOUTS),
    keepAlive: true,
    types,
  });
  applySocketTimeout(pool, SOCKET_TIMEOUT_MS);
  if (options.queryWatch) watchQueries(pool, options.queryWatch);
  // The next query opens another connection.
  pool.on("error", () => {});

  const names = createPreparedNames({ areKept: !options.isPooled });
  const fail = (error: unknown): never => {
    // In a transaction, which has failed as a whole.
    if (names.isOutdated(error)) throw unavailable(error);
    const kind = outageKindOf(error);
    // Safe mode rejects changes on purpose.
    if (kind !== null && !options.readOnly) options.watch?.failed(kind);
    return translateDatabaseError(error);
  };
  const transactions: TransactionOptions = { fail, named: names.named };

  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: "minimal" }).$extends({
    query: {
      $allOperations: ({ model, operation, args, query }) =>
        traced(spanNamed(`${model ?? "raw"}.${operation}`), () => query(args).catch(fail)),
    },
  }) as unknown as PrismaClient;

  const query: Database["query"] = (statement, values) => traced(spanOf(statement), () => run(statement, values));
  const run: Database["query"] = async (statement, values) => {
    if (statement.writesInSafeMode && options.readOnly) return queryReadWrite(pool, statement, values, transactions);
    const result = await names.run(bindValues(statement, values), (config) => pool.query(config)).catch(fail);
    options.watch?.succeeded();
    return readRows(statement, result);
  };

  const writeBehind = options.readOnly ? discardingWriteBehind : createWriteBehind(query);
  const database: Database = {
    prisma,
    query,
    reads: async () => database,
    begin: (writesInSafeMode) =>
      beginTransaction(pool, transactions, writesInSafeMode && options.readOnly ? "read write" : ""),
    writeBehind,
    poolUse: () => readPoolUse(pool),
    async close() {
      await writeBehind.close();
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
  return database;
}

async function queryReadWrite<Row>(
  pool: pg.Pool,
  statement: Statement<Row>,
  values: readonly unknown[],
  options: TransactionOptions,
): Promise<Row[]> {
  const transaction = await beginTransaction(pool, options, "read write");
  try {
    const rows = await transaction.query(statement, values);
    await transaction.commit();
    return rows;
  } finally {
    await transaction.rollback();
  }
}
