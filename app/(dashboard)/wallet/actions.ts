"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { ThresholdInput, ThresholdSet } from "#components/wallet/low-balance-setting.tsx";
import type { paymentMethodNames, TopUpRequest, TopUpRequestInput } from "#components/wallet/top-up-request.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { parameter } from "#lib/http/parameters.ts";
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
    schema: requestSchema,
    input,
    idempotencyKey,
    run: async (ctx, request) => presentTopUp(await requestTopUpService(ctx, request)),
  });
  if (result.ok) revalidatePath("/wallet", "layout");
  return result;
}

export async function setThreshold(input: ThresholdInput, idempotencyKey: string): Promise<ActionResult<ThresholdSet>> {
  const result = await runAction({
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
