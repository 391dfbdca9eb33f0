"use server";
import { z } from "zod";
import { agreedTotal } from "#app/(dashboard)/fields.ts";
import { toPlanView } from "#components/import/plan-view.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { IMPORT_TOO_LARGE, isImportTooLarge } from "#lib/domain/import-size.ts";
import { NOT_A_TEXT_FILE } from "#lib/domain/registration-import.ts";
import { isStorable } from "#lib/domain/text.ts";
import { planLicenseImport } from "#lib/services/license/plan-import.ts";
import { startLicenseImport } from "#lib/services/license/start-import.ts";

const text = z
  .string()
  .refine((value) => value.trim() !== "", "Choose a file, or paste a table.")
  .refine((value) => !isImportTooLarge(value), IMPORT_TOO_LARGE)
  .refine(isStorable, NOT_A_TEXT_FILE);

/** What an import would do; changes nothing. */
export const checkImport = defineAction({
  name: "licenses.import.checkImport",
  input: z.strictObject({ text }),
  repeatable: true,
  run: async (ctx, table) => toPlanView(await planLicenseImport(ctx, table)),
});

export const startImport = defineAction({
  name: "licenses.import.startImport",
  input: z.strictObject({ text, agreedCount: z.int32(), agreedTotal, allowPrivateAddresses: z.boolean() }),
  revalidateOnSuccess: ["/licenses"],
  run: startLicenseImport,
});
