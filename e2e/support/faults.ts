import pg from "pg";
import { getRuntime } from "#lib/runtime.ts";
import type { Answer } from "./http.ts";
import type { Reseller } from "./world.ts";

/** A reseller with a license whose wallet is gone: a fault of ours, met by its calls alone. */
export async function withoutWallet(newReseller: (options: { funds: string }) => Promise<Reseller>) {
  const reseller = await newReseller({ funds: "0" });
  const license = await reseller.newLicense({ product: { price: 0n, pricePerCore: 0n } });
  await getRuntime().db.prisma.wallet.delete({ where: { resellerId: reseller.resellerId } });
  return { reseller, license };
}

/** Makes a call while somebody else keeps the reseller's wallet locked for longer than a request waits. */
export async function whileWalletIsLocked(reseller: Reseller, call: () => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select from wallets where reseller_id = $1 for update", [reseller.resellerId]);
    return await call();
  } finally {
    await client.end();
  }
}
