"use server";
import { z } from "zod";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { caseActions } from "#lib/domain/reconciliation.ts";
import { parameter } from "#lib/http/parameters.ts";
import { actOnCase } from "#lib/services/reconciliation/act.ts";

export const act = defineAction({
  name: "reconciliation.act",
  input: z.object({
    case_id: parameter.integer,
    action: z.enum(caseActions),
    reason: z.string().trim().min(1, "Say why: it is kept with the case."),
    fingerprint: z.string(),
    wallet: z.string().regex(/^-?\d{1,18}$/),
  }),
  revalidateOnSuccess: ["/reconciliation"],
  asksProof: true,
  run: (ctx, { case_id, action, reason, fingerprint, wallet }) =>
    actOnCase(ctx, { caseId: case_id, action, reason, fingerprint, agreedWallet: BigInt(wallet) }),
});
