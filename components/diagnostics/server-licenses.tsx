import { LicenseTable, type LicenseTableProps } from "#components/license/license-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import type { LicenseColumn } from "#lib/domain/license-column.ts";

export interface ServerLicensesProps extends Pick<LicenseTableProps, "rows" | "now"> {
  /** Where all of them are; null: these are all. */
  readonly allHref: string | null;
}

/** All but the server. */
const columns: readonly LicenseColumn[] = ["key", "status", "expires"];

/** The licenses that are bound to the address of a server. */
export function ServerLicenses({ rows, now, allHref }: ServerLicensesProps) {
  return (
    <Card
      actions={
        allHref !== null && (
          <ButtonLink href={allHref} size="sm">
            All licenses
          </ButtonLink>
        )
      }
      flush
      title="Licenses on this server"
    >
      {rows.length === 0 ? (
        <p className="px-4 pb-4 text-sm text-text-muted">No license is bound to this address anymore.</p>
      ) : (
        <LicenseTable columns={columns} now={now} order="newest" orders={[]} rows={rows} scrolls />
      )}
    </Card>
  );
}
