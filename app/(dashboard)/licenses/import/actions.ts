"use server";
import { revalidatePath } from "next/cache";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { ImportAgreement, ImportPlanView, ImportStarted, ImportTable } from "#components/import/import-plan.ts";
import { MAX_FILE_BYTES } from "#components/import/read-text-file.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { planLicenseImport } from "#lib/services/license/plan-import.ts";
import { startLicenseImport } from "#lib/services/license/start-import.ts";
import { presentPlan } from "./present.ts";

const text = z
  .string()
  .refine((value) => value.trim() !== "", "Choose a file, or paste a table.")
  .refine((value) => value.length <= MAX_FILE_BYTES, "The table is larger than 4 MB: split it.");

/** What an import would do; changes nothing. */
export async function checkImport(input: ImportTable): Promise<ActionResult<ImportPlanView>> {
  return runAction({
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
    schema: z.object({ text, agreedCount: z.int(), agreedTotal: z.string().regex(/^\d+$/) }),
    input,
    idempotencyKey,
    run: (ctx, { agreedTotal, ...agreed }) => startLicenseImport(ctx, { ...agreed, agreedTotal: BigInt(agreedTotal) }),
  });
  if (result.ok) revalidatePath("/licenses");
  return result;
}
