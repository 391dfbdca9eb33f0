"use server";
import { z } from "zod";
import { reference, seenVersion } from "#app/(dashboard)/fields.ts";
import type { paymentMethodNames } from "#components/wallet/top-up-request.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { parameter } from "#lib/http/parameters.ts";
import { setPriceRules } from "#lib/services/renewals/set-price-rules.ts";
import { requestTopUp as requestTopUpService } from "#lib/services/wallet/request-top-up.ts";
import { setWalletLowBalanceThreshold } from "#lib/services/wallet/set-low-balance-threshold.ts";

export const requestTopUp = defineAction({
  name: "wallet.requestTopUp",
  input: z.strictObject({
    amount: z.string(),
    method: z
      .string()
      .pipe(z.enum(["bank_transfer", "card", "cash", "other"] satisfies (keyof typeof paymentMethodNames)[])),
    reference,
    note: parameter.notes,
  }),
  revalidateOnSuccess: ["/wallet"],
  run: async (ctx, request) => {
    const { amount, currency } = await requestTopUpService(ctx, request);
    return { amount: amount.toString(), currency };
  },
});

/** A whole number as people type it; may be empty. */
const digits = z
  .string()
  .trim()
  .regex(/^\d{0,6}$/, "must be a whole number");

export const setRules = defineAction({
  name: "wallet.setRules",
  bound: z.strictObject({ seenVersion }),
  input: z.strictObject({
    notice_days: digits.refine((text) => text !== "", "is required").transform(Number),
    max_increase: digits.transform((text) => (text === "" ? null : Number(text))),
  }),
  revalidate: ["/wallet", "/licenses", "/bundles"],
  run: async (ctx, { noticeDays, maxIncrease }) => {
    await setPriceRules(ctx, { noticeDays, maxIncreasePercent: maxIncrease });
  },
});

export const setThreshold = defineAction({
  name: "wallet.setThreshold",
  input: z.strictObject({ threshold: z.string().nullable() }),
  revalidateOnSuccess: ["/wallet"],
  run: async (ctx, chosen) => {
    const { threshold } = await setWalletLowBalanceThreshold(ctx, chosen);
    return { threshold: threshold === null ? null : threshold.toString() };
  },
});
