/** Optional columns of the license list, in order. */
export const licenseColumns = [
  "server",
  "key",
  "status",
  "expires",
  "cores",
  "bundle",
  "renewal",
  "cycle",
  "registered",
  "customer",
  "tags",
  "notes",
] as const;

export type LicenseColumn = (typeof licenseColumns)[number];

export const defaultLicenseColumns: readonly LicenseColumn[] = ["server", "key", "status", "expires"];

/** `server.key` → both columns, in list order. Skips unknown names; undefined means the default. */
export function parseLicenseColumns(text: string | undefined): readonly LicenseColumn[] {
  if (text === undefined) return defaultLicenseColumns;
  const chosen = new Set(text.split("."));
  return licenseColumns.filter((column) => chosen.has(column));
}

export function formatLicenseColumns(columns: readonly LicenseColumn[]): string {
  return columns.join(".");
}
