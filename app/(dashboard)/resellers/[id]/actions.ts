"use server";
import { z } from "zod";
import { id, reference } from "#app/(dashboard)/fields.ts";
import type { WalletCorrected } from "#components/reseller/correction.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { parameter } from "#lib/http/parameters.ts";
import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { refundCharge } from "#lib/services/wallet/refund.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";

const bound = z.strictObject({ resellerId: id<ResellerId>() });
const revalidate = ["/resellers"];

export const topUp = defineAction({
  name: "resellers.topUp",
  bound,
  input: z.strictObject({ amount: z.string(), meant_amount: z.string(), reference, note: parameter.notes }),
  revalidate,
  asksProof: true,
  run: async (ctx, payment, { resellerId }) => present(await topUpWallet(ctx, { ...payment, resellerId })),
});

export const adjust = defineAction({
  name: "resellers.adjust",
  bound,
  input: z.strictObject({ amount: z.string(), meant_amount: z.string(), reason: parameter.reason, reference }),
  revalidate,
  asksProof: true,
  run: async (ctx, correction, { resellerId }) => present(await adjustWallet(ctx, { ...correction, resellerId })),
});

export const refund = defineAction({
  name: "resellers.refund",
  bound,
  input: z.strictObject({ operation_id: z.uuid(), amount: z.string(), reason: parameter.reason }),
  revalidate,
  asksProof: true,
  run: async (ctx, correction) => present(await refundCharge(ctx, correction)),
});

function present(done: { amount: bigint; postedAfter: bigint; currency: string }): WalletCorrected {
  return { amount: done.amount.toString(), postedAfter: done.postedAfter.toString(), currency: done.currency };
}
