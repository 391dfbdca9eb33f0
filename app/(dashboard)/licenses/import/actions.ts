"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import { agreedTotal } from "#app/(dashboard)/fields.ts";
import type { ActionResult } from "#components/form/action-result.ts";
import type { ImportAgreement, ImportPlanView, ImportStarted, ImportTable } from "#components/import/import-plan.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { IMPORT_TOO_LARGE, isImportTooLarge } from "#lib/domain/import-size.ts";
import { NO_TEXT_FILE } from "#lib/domain/registration-import.ts";
import { isStorable } from "#lib/domain/text.ts";
import { planLicenseImport } from "#lib/services/license/plan-import.ts";
import { startLicenseImport } from "#lib/services/license/start-import.ts";
import { presentPlan } from "./present.ts";

const text = z
  .string()
  .refine((value) => value.trim() !== "", "Choose a file, or paste a table.")
  .refine((value) => !isImportTooLarge(value), IMPORT_TOO_LARGE)
  .refine(isStorable, NO_TEXT_FILE);

/** What an import would do; changes nothing. */
export async function checkImport(input: ImportTable): Promise<ActionResult<ImportPlanView>> {
  return runAction({
    name: "licenses.import.checkImport",
    schema: z.object({ text }),
    input,
    run: async (ctx, table) => presentPlan(await planLicenseImport(ctx, table)),
  });
}

export async function startImport(
  input: ImportAgreement,
  idempotencyKey: string,
): Promise<ActionResult<ImportStarted>> {
  const result = await runAction({
    name: "licenses.import.startImport",
    schema: z.object({ text, agreedCount: z.int32(), agreedTotal, privateMeant: z.boolean() }),
    input,
    idempotencyKey,
    run: (ctx, { agreedTotal: total, ...agreed }) => startLicenseImport(ctx, { ...agreed, agreedTotal: BigInt(total) }),
  });
  if (result.ok) revalidatePath("/licenses");
  return result;
}
