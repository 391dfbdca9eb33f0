import { getRuntime } from "#lib/runtime.ts";
import type { Reseller } from "./world.ts";

/** A reseller with a license whose wallet is gone: a fault of ours, met by its calls alone. */
export async function withoutWallet(newReseller: (options: { funds: string }) => Promise<Reseller>) {
  const reseller = await newReseller({ funds: "0" });
  const license = await reseller.newLicense({ product: { price: 0n, pricePerCore: 0n } });
  await getRuntime().db.prisma.wallet.delete({ where: { resellerId: reseller.resellerId } });
  return { reseller, license };
}
