import { csvDownload } from "#lib/dashboard/csv-download.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { importTemplate } from "#lib/services/license/import-template.ts";

export async function GET(): Promise<Response> {
  return csvDownload("license-import.csv", importTemplate(contextOf(await requireResellerUser())));
}
