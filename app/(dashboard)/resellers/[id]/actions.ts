"use server";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { AdjustInput, RefundInput, WalletCorrected } from "#components/reseller/correction.ts";
import type { ToppedUp, TopUpInput } from "#components/reseller/top-up-form.tsx";
import { runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { parameter } from "#lib/http/parameters.ts";
import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { refundCharge } from "#lib/services/wallet/refund.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";

const REFERENCE_MAX_LENGTH = 100;

const schema = z.object({
  amount: z.string().trim(),
  reference: parameter.limited(REFERENCE_MAX_LENGTH),
  note: parameter.notes,
});

export async function topUp(
  resellerId: number,
  input: TopUpInput,
  idempotencyKey: string,
): Promise<ActionResult<ToppedUp>> {
  const forReseller = resellerId as ResellerId;
  const result = await runAction({
    name: "resellers.topUp",
    schema,
    input,
    idempotencyKey,
    forReseller,
    run: async (ctx, { amount, reference, note }) => {
      const topped = await topUpWallet(ctx, {
        resellerId: forReseller,
        amount,
        note,
        reference: reference.trim() === "" ? undefined : reference.trim(),
      });
      return {
        amount: topped.amount.toString(),
        postedAfter: topped.postedAfter.toString(),
        currency: topped.currency,
      };
    },
  });
  return shownAnew(result, "/resellers");
}

const adjustSchema = z.object({
  amount: z.string(),
  reason: parameter.reason,
  reference: parameter.limited(REFERENCE_MAX_LENGTH),
});

export async function adjust(
  resellerId: number,
  input: AdjustInput,
  idempotencyKey: string,
): Promise<ActionResult<WalletCorrected>> {
  const forReseller = resellerId as ResellerId;
  const result = await runAction({
    name: "resellers.adjust",
    schema: adjustSchema,
    input,
    idempotencyKey,
    forReseller,
    run: async (ctx, { amount, reason, reference }) =>
      presentCorrection(
        await adjustWallet(ctx, { resellerId: forReseller, amount, reason, reference: reference.trim() || undefined }),
      ),
  });
  return shownAnew(result, "/resellers");
}

const refundSchema = z.object({ operation_id: z.uuid(), amount: z.string(), reason: parameter.reason });

export async function refund(
  resellerId: number,
  input: RefundInput,
  idempotencyKey: string,
): Promise<ActionResult<WalletCorrected>> {
  const result = await runAction({
    name: "resellers.refund",
    schema: refundSchema,
    input,
    idempotencyKey,
    forReseller: resellerId as ResellerId,
    run: async (ctx, { operation_id, amount, reason }) =>
      presentCorrection(await refundCharge(ctx, { operationId: operation_id, amount, reason })),
  });
  return shownAnew(result, "/resellers");
}

function presentCorrection(done: { amount: bigint; postedAfter: bigint; currency: string }): WalletCorrected {
  return { amount: done.amount.toString(), postedAfter: done.postedAfter.toString(), currency: done.currency };
}
