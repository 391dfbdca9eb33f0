import { RefreshCw } from "lucide-react";
import { SelectPage, SelectRow } from "#components/bulk/selection-scope.tsx";
import { termText } from "#components/license/registration.ts";
import { Allowed } from "#components/shell/permissions.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { atEnd } from "#components/ui/column.ts";
import { Money } from "#components/ui/money.tsx";
import { ObjectId } from "#components/ui/object-id.tsx";
import { StatusBadge } from "#components/ui/status-badge.tsx";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { formatBundleInstanceId } from "#lib/domain/ids.ts";
import type { ListedBundle } from "#lib/services/bundle/list.ts";
import { bundleStatus } from "./bundle-details.ts";

interface BundleTableProps {
  readonly rows: readonly ListedBundle[];
  readonly now: Date;
}

export function BundleTable({ rows, now }: BundleTableProps) {
  const head = (
    <>
      <Allowed to="wallet:spend">
        <SelectPage />
      </Allowed>
      <span className="max-md:hidden">Bundle</span>
    </>
  );
  return (
    <Table
      columns={[{ name: "Bundle", head }, "Address", "Status", "Expires", atEnd("Renews for")]}
      label="Your bundles"
    >
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell phone="title">
            <span className="flex items-center">
              <Allowed to="wallet:spend">
                <SelectRow id={row.id} label={formatBundleInstanceId(row.id)} />
              </Allowed>
              <span>
                <RowLink href={`/bundles/${row.id}`}>{row.name}</RowLink>
                <ObjectId className="ml-1.5">{formatBundleInstanceId(row.id)}</ObjectId>
              </span>
            </span>
          </Cell>
          <Cell label="Address" mono>
            {row.ipAddress}
          </Cell>
          <Cell phone="corner">
            <StatusBadge status={bundleStatus(row, now)} />
          </Cell>
          <Cell label="Expires" muted>
            <span className="inline-flex flex-wrap items-center justify-end gap-2 md:justify-start">
              <Timestamp format="date" value={row.expiresAt} />
              {row.autoRenew && row.terminatedAt === null && <Badge icon={<RefreshCw />}>Auto-renew</Badge>}
            </span>
          </Cell>
          <Cell align="end" label="Renews for" phone={row.renewal === null ? "hidden" : "line"}>
            {row.renewal && (
              <span>
                <Money currency={row.renewal.currency} minor={row.renewal.price} />{" "}
                <span className="whitespace-nowrap text-text-muted">per {termText(row.cycleMonths)}</span>
              </span>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
