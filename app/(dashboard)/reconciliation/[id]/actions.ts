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
    schema: z.object({
      case_id: parameter.integer,
      action: z.enum(caseActions),
      reason: parameter.reason,
      fingerprint: z.string(),
    }),
    input,
    idempotencyKey,
    run: (ctx, { case_id, action, reason, fingerprint }) =>
      actOnCase(ctx, { caseId: case_id, action, reason: reason ?? "", fingerprint }),
  });
  // A refusal is shown where it was asked for; the page is shown anew when it has been read.
  if (result.ok) revalidatePath("/reconciliation", "layout");
  return result;
}
