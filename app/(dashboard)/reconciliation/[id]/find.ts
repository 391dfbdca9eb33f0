import { cache } from "react";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { getCase, type ReconciliationCase } from "#lib/services/reconciliation/get-case.ts";

/** `id`: as in the address. */
export const findCase = cache(async (id: string): Promise<ReconciliationCase> => {
  const ctx = contextOf(await requireAdminUser("admin:read"));
  return orNotFound(getCase(ctx, { caseId: parsePositiveInteger(id) ?? 0 }));
});
