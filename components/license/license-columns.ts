import type { LicenseColumn } from "#lib/domain/license-column.ts";

/** The cookie that the list and its export read, so that the first byte already has the chosen columns. */
export const COLUMNS_COOKIE = "license_columns";

export const columnNames = {
  server: "Server",
  key: "Key",
  status: "Status",
  expires: "Expires",
  cores: "Cores",
  bundle: "Bundle",
  renewal: "Renewal",
  cycle: "Cycle",
  registered: "Registered",
  customer: "Customer",
  tags: "Tags",
  notes: "Notes",
} as const satisfies Record<LicenseColumn, string>;
