import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { translateDatabaseError } from "./errors.ts";
import { PrismaClient } from "./generated/client.ts";
import { endSilentConnections } from "./silence.ts";
import { createWriteBehind, type WriteBehind } from "./write-behind.ts";

export interface Database {
  /** For everything that is neither hot nor a race. */
  readonly prisma: PrismaClient;
  /** Named statements over the same pool: parsed once a connection, several times as fast as Prisma. */
  query<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]>;
  /** Rows that may be written a moment later, many at a time: never part of an answer. */
  readonly writeBehind: WriteBehind;
  close(): Promise<void>;
}

export interface Statement {
  /** Statements with a name are prepared; the name stands for one text. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName?: string;
}

const INT8_OID = 20;
const CONNECT_TIMEOUT_MS = 5_000;
/** A connection that is kept knows its statements' plans: a new one makes them all again, while somebody waits. */
const IDLE_TIMEOUT_MS = 5 * 60_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const LOCK_TIMEOUT_MS = 5_000;
/** For a server that does not answer at all, not even that the statement took too long. */
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 2_000;

// Money is bigint inside: a number would round silently.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === INT8_OID ? BigInt : pg.types.getTypeParser(oid, format as "text")) as pg.CustomTypesConfig["getTypeParser"],
};

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName ?? "license-desk",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    types,
  });
  endSilentConnections(pool, SILENCE_TIMEOUT_MS);
  // An idle connection that the server drops is no news: the next query opens another.
  pool.on("error", () => {});

  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: "minimal" }).$extends({
    query: {
      $allOperations: ({ args, query }) => query(args).catch(translateDatabaseError),
    },
  }) as unknown as PrismaClient;

  const query = async <Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]> => {
    const result = await pool.query<Row>(statement as pg.QueryConfig).catch(translateDatabaseError);
    return result.rows;
  };

  const writeBehind = createWriteBehind(query);
  return {
    prisma,
    query,
    writeBehind,
    async close() {
      await writeBehind.close();
      await prisma.$disconnect();
      if (!pool.ended) await pool.end();
    },
  };
}
