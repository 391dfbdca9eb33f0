import { cookies } from "next/headers";
import { filterOf, placeOf } from "#app/(dashboard)/licenses/view.ts";
import { COLUMNS_COOKIE } from "#components/license/license-columns.ts";
import { loadLicenseParams } from "#components/license/license-params.ts";
import { csvDownload } from "#lib/dashboard/download.ts";
import { contextOf, requireUserWith } from "#lib/dashboard/session.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { parseLicenseColumns } from "#lib/domain/license-column.ts";
import { toDay } from "#lib/domain/times.ts";
import { exportAllLicenses, exportLicenses } from "#lib/services/license/export.ts";

/** What the list shows, all pages of it; an admin's of one reseller or of all. */
export async function GET(request: Request): Promise<Response> {
  const user = await requireUserWith("licenses:read");
  const view = loadLicenseParams(request);
  const ctx = contextOf(user, { forReseller: view.reseller as ResellerId | null });
  const columns = parseLicenseColumns((await cookies()).get(COLUMNS_COOKIE)?.value);
  const across = user.kind === "admin" && view.reseller === null;
  const pieces = (across ? exportAllLicenses : exportLicenses)(ctx, {
    filter: filterOf(view),
    order: placeOf(view).order,
    columns,
  });
  return csvDownload(`licenses-${toDay(ctx.now())}.csv`, pieces);
}
