"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { Acted, ActionInput } from "#components/reconciliation/case-action.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { caseActions } from "#lib/domain/reconciliation.ts";
import { parameter } from "#lib/http/parameters.ts";
import { actOnCase } from "#lib/services/reconciliation/act.ts";

export async function act(input: ActionInput, idempotencyKey: string): Promise<ActionResult<Acted>> {
  const result = await runAction({
    name: "reconciliation.act",
    schema: z.object({
      case_id: parameter.integer,
      action: z.enum(caseActions),
      reason: parameter.reason,
      fingerprint: z.string(),
      wallet: z.string().regex(/^-?\d{1,18}$/),
    }),
    input,
    idempotencyKey,
    run: (ctx, { case_id, action, reason, fingerprint, wallet }) =>
      actOnCase(ctx, { caseId: case_id, action, reason: reason ?? "", fingerprint, agreedWallet: BigInt(wallet) }),
  });
  // A refusal is shown where it was asked for; the page is shown anew when it has been read.
  if (result.ok) revalidatePath("/reconciliation", "layout");
  return result;
}
