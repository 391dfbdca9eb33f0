import type { Database } from "#lib/db/connection/client.ts";
import { withQuery } from "#lib/db/connection/with-query.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { sql } from "#tests/sql.ts";
import type { World } from "./world.ts";

/** Addresses at which the sandbox provider simulates failures (contract 5). */
export const rehearsed = {
  rejects: "192.0.2.10",
  losesAnswer: "192.0.2.20",
  losesRequest: "192.0.2.21",
  answersLate: "192.0.2.30",
  garblesAnswer: "192.0.2.40",
  rejectsLastMember: "192.0.2.50",
  refusesConnection: "192.0.2.60",
} as const satisfies Record<string, string>;

/** `maySend` that permits every request. */
export const always = () => true;

export function ip(address: string): LicenseAddress {
  return address as LicenseAddress;
}

/** Puts a license on an address without the provider, which rejects some. */
export async function placeLicense(world: World, licenseId: number, address: string): Promise<void> {
  await world.db.query(sql("update licenses set ip_address = $2 where id = $1"), [licenseId, address]);
}

export async function clearRehearsed(world: World): Promise<void> {
  await world.db.query(
    sql(`update licenses set ip_address = '198.19.' || id / 256 || '.' || id % 256 where ip_address like '192.0.2.%'`),
    [],
  );
}

/** The code of the DomainError that a promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (value) =>
      Promise.reject(
        new Error(`did not fail: ${JSON.stringify(value, (_, v) => (typeof v === "bigint" ? String(v) : v))}`),
      ),
    (error) => {
      if (typeof error?.code !== "string") throw error;
      return error.code;
    },
  );
}

/** A database that runs something before each statement of this name, within transactions, too. */
export function runningBefore(db: Database, statementName: string, run: () => Promise<unknown>): Database {
  const preceded =
    (query: Database["query"]): Database["query"] =>
    async (statement, values) => {
      if (statement.name === statementName) await run();
      return query(statement, values);
    };
  const begin: Database["begin"] = async (...args) => {
    const transaction = await db.begin(...args);
    return { ...transaction, query: preceded(transaction.query) };
  };
  return {
    ...withQuery(
      db,
      preceded((...query) => db.query(...query)),
    ),
    begin,
  };
}

/** A context whose process dies after, or before, its nth statement of this name. */
export function dyingAt(ctx: ServiceContext, statementName: string, { nth = 1, before = false } = {}): ServiceContext {
  let seen = 0;
  let dead = false;
  const query: typeof ctx.db.query = async (statement, values) => {
    if (dead) throw new Error("process died");
    const fatal = statement.name === statementName && ++seen === nth;
    if (fatal) dead = true;
    if (fatal && before) throw new Error("process died");
    const rows = await ctx.db.query(statement, values);
    if (fatal) throw new Error("process died");
    return rows;
  };
  return { ...ctx, db: withQuery(ctx.db, query) };
}
