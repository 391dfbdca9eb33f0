"use server";
import { z } from "zod";
import { agreedPrice } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { caseActions } from "#lib/domain/reconciliation.ts";
import { parameter } from "#lib/http/parameters.ts";
import { actOnCase } from "#lib/services/reconciliation/act.ts";

export const act = defineAction({
  name: "reconciliation.act",
  input: z.strictObject({
    case_id: parameter.integer,
    action: z.enum(caseActions),
    reason: z.string().trim().min(1, "Say why: it is kept with the case."),
    fingerprint: z.string(),
    wallet: agreedPrice,
  }),
  revalidateOnSuccess: ["/reconciliation"],
  asksProof: true,
  run: (ctx, { wallet: agreedWallet, ...decision }) => actOnCase(ctx, { ...decision, agreedWallet }),
});
