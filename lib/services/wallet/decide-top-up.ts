import { randomUUID } from "node:crypto";
import { decideTopUpRequest, findTopUpRequest, type TopUpRequestRow } from "#lib/db/wallet/top-up.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { NOTES_MAX_LENGTH } from "#lib/domain/text.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readRequired, readText } from "#lib/services/read-text.ts";
import { readAmount } from "./amount.ts";
import { requireMeantAmount } from "./meant-amount.ts";

interface Approval {
  readonly decision: "approve";
  /** In major units, if another amount was paid than was requested; the note then says why. */
  readonly amount?: string | undefined;
  /** The same text, once a large amount was confirmed. */
  readonly meantAmount?: string | undefined;
  readonly note?: string | undefined;
}

export type TopUpDecisionInput = { readonly requestId: number } & (
  | Approval
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
  const { requestId } = input;
  const request = await findTopUpRequest(ctx.db, requestId);
  if (!request) throw new DomainError("not_found", "There is no such request.");
  const ruling = input.decision === "approve" ? await readApproval(ctx, request, input) : readRefusal(input.note);
  const decided = await decideTopUpRequest(
    writesOf(ctx),
    { ...ruling, requestId, eventId: randomUUID() },
    changedBy(ctx),
  );
  if (decided) return decided;
  throw new DomainError("state_invalid", "This request has been decided already.");
}

async function readApproval(ctx: ServiceContext, { amount: requested, currency }: TopUpRequestRow, input: Approval) {
  const { amount: typed } = input;
  const note = readText(input.note ?? "", "note", NOTES_MAX_LENGTH);
  if (typed === undefined) return { approve: true, amount: null, note };
  const amount = readAmount(typed, currency, "positive");
  const reason = amount === requested ? note : readRequired(note, "note", NOTES_MAX_LENGTH);
  await requireMeantAmount(ctx, { minor: amount, currency }, { amount: typed, meantAmount: input.meantAmount });
  return { approve: true, amount, note: reason };
}

function readRefusal(note: string) {
  return { approve: false, amount: null, note: readRequired(note, "note", NOTES_MAX_LENGTH) };
}
