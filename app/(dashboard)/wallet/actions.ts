"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { ThresholdInput, ThresholdSet } from "#components/wallet/low-balance-setting.tsx";
import type { PriceRulesInput } from "#components/wallet/price-rules-setting.tsx";
import type { paymentMethodNames, TopUpRequest, TopUpRequestInput } from "#components/wallet/top-up-request.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { parameter } from "#lib/http/parameters.ts";
import { setPriceRules } from "#lib/services/renewals/set-price-rules.ts";
import { requestTopUp as requestTopUpService } from "#lib/services/wallet/request-top-up.ts";
import { setWalletLowBalanceThreshold } from "#lib/services/wallet/set-low-balance-threshold.ts";
import { presentTopUp } from "./present.ts";

const REFERENCE_MAX_LENGTH = 100;

const requestSchema = z.object({
  amount: z.string(),
  method: z.enum(["bank_transfer", "card", "cash", "other"] satisfies (keyof typeof paymentMethodNames)[]),
  reference: parameter.limited(REFERENCE_MAX_LENGTH),
  note: parameter.notes,
});

export async function requestTopUp(
  input: TopUpRequestInput,
  idempotencyKey: string,
): Promise<ActionResult<TopUpRequest>> {
  const result = await runAction({
    name: "wallet.requestTopUp",
    schema: requestSchema,
    input,
    idempotencyKey,
    run: async (ctx, request) => presentTopUp(await requestTopUpService(ctx, request)),
  });
  if (result.ok) revalidatePath("/wallet", "layout");
  return result;
}

/** A whole number as people type it; may be empty. */
const digits = z
  .string()
  .trim()
  .regex(/^\d{0,6}$/, "must be a whole number");

export async function setRules(input: PriceRulesInput, idempotencyKey: string): Promise<ActionResult<null>> {
  const result = await runAction({
    name: "wallet.setRules",
    schema: z.object({
      notice_days: digits.refine((text) => text !== "", "is required").transform(Number),
      max_increase: digits.transform((text) => (text === "" ? null : Number(text))),
    }),
    input,
    idempotencyKey,
    run: async (ctx, { notice_days, max_increase }) => {
      await setPriceRules(ctx, { noticeDays: notice_days, maxIncreasePercent: max_increase });
      return null;
    },
  });
  return shownAnew(result, "/wallet", "/licenses", "/bundles");
}

export async function setThreshold(input: ThresholdInput, idempotencyKey: string): Promise<ActionResult<ThresholdSet>> {
  const result = await runAction({
    name: "wallet.setThreshold",
    schema: z.object({ threshold: z.string().nullable() }),
    input,
    idempotencyKey,
    run: async (ctx, chosen) => {
      const { threshold } = await setWalletLowBalanceThreshold(ctx, chosen);
      return { threshold: threshold === null ? null : threshold.toString() };
    },
  });
  if (result.ok) revalidatePath("/wallet", "layout");
  return result;
}
