import { RefreshCw } from "lucide-react";
import { SelectPage, SelectRow } from "#components/bulk/selection-scope.tsx";
import { termText } from "#components/license/registration.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Money } from "#components/ui/money.tsx";
import { PrefetchOnIntent } from "#components/ui/prefetch-on-intent.tsx";
import { StatusBadge } from "#components/ui/status-badge.tsx";
import { Cell, HeaderCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { BundleListRow } from "./bundle-details.ts";

export function BundleTable({ rows }: { readonly rows: readonly BundleListRow[] }) {
  return (
    <PrefetchOnIntent>
      <Table label="Your bundles">
        <TableHead>
          <HeaderCell name="Bundle">
            <SelectPage />
            <span className="max-md:hidden">Bundle</span>
          </HeaderCell>
          <HeaderCell>Address</HeaderCell>
          <HeaderCell>Status</HeaderCell>
          <HeaderCell>Expires</HeaderCell>
          <HeaderCell align="end">Renews for</HeaderCell>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell phone="title">
                <span className="flex items-center">
                  <SelectRow id={row.id} label={`bundle ${row.id}`} />
                  <span>
                    <RowLink href={row.href}>{row.name}</RowLink>
                    <span className="ml-1.5 text-text-muted text-xs">bundle {row.id}</span>
                  </span>
                </span>
              </Cell>
              <Cell label="Address" mono>
                {row.ipAddress}
              </Cell>
              <Cell phone="corner">
                <StatusBadge status={row.status} />
              </Cell>
              <Cell label="Expires" muted>
                <span className="inline-flex flex-wrap items-center justify-end gap-2 md:justify-start">
                  <Timestamp format="date" value={row.expiresAt} />
                  {row.autoRenew && row.status !== "terminated" && (
                    <Badge icon={<RefreshCw aria-hidden />}>Auto-renew</Badge>
                  )}
                </span>
              </Cell>
              <Cell align="end" label="Renews for" phone={row.renewalPrice === null ? "hidden" : "line"}>
                {row.renewalPrice && (
                  <span>
                    <Money {...row.renewalPrice} />{" "}
                    <span className="whitespace-nowrap text-text-muted">per {termText(row.cycleMonths)}</span>
                  </span>
                )}
              </Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
    </PrefetchOnIntent>
  );
}
