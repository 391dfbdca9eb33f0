import pg from "pg";
import type { ResellerId } from "#lib/domain/ids.ts";

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
