import { randomUUID } from "node:crypto";
import { decideTopUpRequest, type TopUpRequestRow, topUpRequestExists } from "#lib/db/wallet/top-up.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readRequired } from "./amount.ts";

export type TopUpDecisionInput = { readonly requestId: number } & (
  | { readonly decision: "approve"; readonly note?: string | undefined }
  /** The reason is shown to the reseller. */
  | { readonly decision: "decline"; readonly note: string }
);

/**
 * Approves a top-up request, which credits the wallet under its reference, or declines it. Of two concurrent decisions,
 * the second is rejected.
 * @throws DomainError `not_found`, `parameters_invalid`, `state_invalid` (already decided), `conflict` (the wallet
 * has an entry with that reference; the request stays open).
 */
export async function decideTopUp(ctx: ServiceContext, input: TopUpDecisionInput): Promise<TopUpRequestRow> {
  requireAdmin(ctx, "money:move");
  const approve = input.decision === "approve";
  const note = approve ? (input.note?.trim() ?? "") : readRequired(input.note ?? "", "note");
  const decision = { requestId: input.requestId, approve, note, eventId: randomUUID() };
  const decided = await decideTopUpRequest(writesOf(ctx), decision, changedBy(ctx));
  if (decided) return decided;
  if (!(await topUpRequestExists(ctx.db, input.requestId))) {
    throw new DomainError("not_found", "There is no such request.");
  }
  throw new DomainError("state_invalid", "This request has been decided already.");
}
