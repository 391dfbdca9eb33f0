"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { Decided, DecisionInput } from "#components/reseller/top-up-decision.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { parameter } from "#lib/http/parameters.ts";
import { decideTopUp } from "#lib/services/wallet/decide-top-up.ts";

const schema = z.object({
  request_id: parameter.integer,
  decision: z.enum(["approve", "decline"]),
  note: parameter.notes,
});

export async function decide(input: DecisionInput, idempotencyKey: string): Promise<ActionResult<Decided>> {
  const result = await runAction({
    name: "top-ups.decide",
    schema,
    input,
    idempotencyKey,
    run: async (ctx, { request_id, decision, note }) => {
      const decided = await decideTopUp(ctx, { requestId: request_id, decision, note });
      return {
        state: decided.state,
        amount: decided.amount.toString(),
        currency: decided.currency,
      };
    },
  });
  // Not after a refusal: the row would go, and with it the words that say why. The dialog reads anew when it closes.
  if (result.ok) revalidatePath("/", "layout");
  return result;
}
