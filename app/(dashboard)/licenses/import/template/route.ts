import { csvDownload } from "#lib/dashboard/download.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { streamImportTemplate } from "#lib/services/license/import-template.ts";

export async function GET(): Promise<Response> {
  return csvDownload("license-import.csv", streamImportTemplate(contextOf(await requireResellerUser("wallet:spend"))));
}
