import type { Database } from "#lib/db/connection/client.ts";
import {
  findReseller,
  type ResellerRow,
  updateResellerRow,
  updateResellerSuspension,
} from "#lib/db/reseller/reseller.ts";
import { type DomainError, invalidParameters, malformedFields } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { isStorableWithin, REASON_MAX_LENGTH } from "#lib/domain/text.ts";
import { noSuchReseller } from "#lib/services/api-key/manager.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { changedMeanwhile } from "#lib/services/operation/seen-version.ts";
import { EMAIL_RULE, normalizeEmail } from "#lib/services/user/email.ts";
import { findNameProblem } from "#lib/services/user/fields.ts";

const NOTES_MAX_LENGTH = 4_000;

/** What only admins see and set. @throws DomainError `not_found` */
export async function getResellerSettings(
  ctx: ServiceContext,
  input: { readonly resellerId: ResellerId },
): Promise<ResellerRow> {
  requireAdmin(ctx, "admin:read");
  const reseller = await findReseller(ctx.db, input.resellerId);
  if (!reseller) throw noSuchReseller();
  return reseller;
}

/**
 * Changes name, email address and notes. Absent fields are not changed.
 * @throws DomainError `parameters_invalid`, `not_found`, `changed_meanwhile`
 */
export async function updateReseller(
  ctx: ServiceContext,
  input: {
    readonly resellerId: ResellerId;
    readonly name?: string | undefined;
    readonly email?: string | undefined;
    readonly notes?: string | undefined;
  },
): Promise<void> {
  requireAdmin(ctx, "resellers:write");
  const name = input.name?.trim();
  const email = input.email === undefined ? undefined : normalizeEmail(input.email);
  const notes = input.notes?.trim();
  const problems = malformedFields({
    name: name === undefined ? null : findNameProblem(name),
    email: email === null && EMAIL_RULE,
    notes: notes === undefined ? null : findNotesProblem(notes),
  });
  if (email === null || problems.length > 0) throw invalidParameters(problems);
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(notes === undefined ? {} : { notes }),
  };
  const { seenVersion = null } = ctx;
  const changed = await updateResellerRow(writesOf(ctx), input.resellerId, change, seenVersion, changedBy(ctx));
  if (!changed) throw await explainUnchanged(ctx.db, input.resellerId);
}

/** What is wrong with an admin's trimmed notes, or null. */
export function findNotesProblem(notes: string): string | null {
  return isStorableWithin(notes, NOTES_MAX_LENGTH) ? null : `must have at most ${NOTES_MAX_LENGTH} characters`;
}

/** The error for a reseller that was not changed: not found, or another version. */
export async function explainUnchanged(db: Database, resellerId: ResellerId): Promise<DomainError> {
  const reseller = await findReseller(db, resellerId);
  return reseller === null ? noSuchReseller() : changedMeanwhile("This reseller");
}

/**
 * Suspends a reseller or lifts the suspension: from the commit on, nothing is held of its wallet, its sessions have
 * ended, its jobs wait, and its keys are rejected on every instance within seconds (docs/suspension.md). Idempotent.
 * @throws DomainError `parameters_invalid`, `not_found`
 */
export async function setResellerSuspended(
  ctx: ServiceContext,
  input: { readonly resellerId: ResellerId; readonly suspended: boolean; readonly reason: string },
): Promise<void> {
  requireAdmin(ctx, "resellers:write");
  const { resellerId, suspended } = input;
  const reason = input.reason.trim();
  if ((suspended && reason === "") || !isStorableWithin(reason, REASON_MAX_LENGTH)) {
    const message = `must say why, in at most ${REASON_MAX_LENGTH} characters`;
    throw invalidParameters([{ field: "reason", kind: reason === "" ? "missing" : "malformed", message }]);
  }
  const change = { suspended, reason, by: changedBy(ctx) };
  if (!(await updateResellerSuspension(writesOf(ctx), resellerId, change))) throw noSuchReseller();
}
