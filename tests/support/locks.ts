import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { expect } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { sql } from "#tests/sql.ts";

/** Runs `call` while somebody else keeps the reseller's wallet locked, for longer than a request waits. */
export function whileWalletIsLocked<Result>(
  { resellerId }: { readonly resellerId: ResellerId },
  call: () => Promise<Result>,
  url = process.env.DATABASE_URL,
): Promise<Result> {
  return whileLocked(`select from wallets where reseller_id = ${resellerId} for update`, call, url);
}

/** Runs `call` while somebody else keeps what `lock` locks. */
export async function whileLocked<Result>(
  lock: string,
  call: () => Promise<Result>,
  url = process.env.DATABASE_URL,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("begin");
    await client.query(lock);
    return await call();
  } finally {
    await client.end();
  }
}

/** Makes the change while a hold has its first lock and takes its second one. @param id $1 of both */
export async function expectNoDeadlock(
  db: Database,
  hold: readonly [string, string],
  id: number,
  change: () => Promise<unknown>,
): Promise<void> {
  const transaction = await db.begin();
  await transaction.query(sql(`${hold[0]} for no key update`), [id]);
  // Shorter than PostgreSQL needs to find a deadlock: a change that it rolls back is repeated.
  await transaction.query(sql("set local lock_timeout to '500ms'"), []);
  const changed = change().then(() => "changed");
  await Promise.race([changed.catch(() => {}), setTimeout(300)]);
  const held = transaction.query(sql(`${hold[1]} for no key update`), [id]).then(() => "held");
  await held.finally(() => transaction.rollback()).catch(() => {});
  expect(await Promise.all([held, changed])).toEqual(["held", "changed"]);
}
