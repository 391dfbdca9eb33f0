import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/** Money in minor units of `currency`. */
export interface ResellerSummary {
  readonly resellerId: ResellerId;
  readonly name: string;
  readonly email: string;
  readonly currency: Currency;
  readonly posted: bigint;
  readonly held: bigint;
  readonly suspendedAt: Date | null;
  readonly createdAt: Date;
}

/** All of them, oldest first: for the command line. */
export async function listResellers(ctx: ServiceContext): Promise<readonly ResellerSummary[]> {
  requireAdmin(ctx);
  const rows = await ctx.db.prisma.reseller.findMany({ include: { wallet: true }, orderBy: { id: "asc" } });
  return rows.map(summarizeReseller);
}

interface ResellerWithWallet {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly currency: string;
  readonly suspendedAt: Date | null;
  readonly createdAt: Date;
  readonly wallet: { readonly posted: bigint; readonly held: bigint } | null;
}

export function summarizeReseller({ id, wallet, ...row }: ResellerWithWallet): ResellerSummary {
  return {
    resellerId: id as ResellerId,
    name: row.name,
    email: row.email,
    currency: row.currency as Currency,
    posted: wallet?.posted ?? 0n,
    held: wallet?.held ?? 0n,
    suspendedAt: row.suspendedAt,
    createdAt: row.createdAt,
  };
}
