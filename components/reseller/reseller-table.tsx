import { Badge } from "#components/ui/badge.tsx";
import { Money } from "#components/ui/money.tsx";
import { PrefetchOnIntent } from "#components/ui/prefetch-on-intent.tsx";
import { Cell, HeaderCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";

/** Money: minor units of `currency`. */
interface ResellerListRow {
  readonly resellerId: number;
  readonly name: string;
  readonly email: string;
  readonly currency: string;
  readonly posted: bigint;
  readonly held: bigint;
  readonly suspendedAt: Date | null;
  readonly createdAt: Date;
}

export function ResellerTable({ rows }: { readonly rows: readonly ResellerListRow[] }) {
  return (
    <PrefetchOnIntent>
      <Table label="Resellers">
        <TableHead>
          <HeaderCell>Reseller</HeaderCell>
          <HeaderCell>Email</HeaderCell>
          <HeaderCell>Since</HeaderCell>
          <HeaderCell align="end">Held</HeaderCell>
          <HeaderCell align="end">Available balance</HeaderCell>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <Row key={row.resellerId}>
              <Cell phone="title">
                <RowLink href={`/resellers/${row.resellerId}`}>{row.name}</RowLink>
                {row.suspendedAt && (
                  <span className="ml-2">
                    <Badge tone="caution">Suspended</Badge>
                  </span>
                )}
              </Cell>
              <Cell label="Email" muted>
                <span className="wrap-anywhere">{row.email}</span>
              </Cell>
              <Cell label="Since" muted>
                <Timestamp format="date" value={row.createdAt} />
              </Cell>
              <Cell align="end" label="Held" muted>
                <Money currency={row.currency} minor={row.held} />
              </Cell>
              <Cell align="end" label="Available balance">
                <Money className="font-medium" currency={row.currency} minor={row.posted - row.held} />
              </Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
    </PrefetchOnIntent>
  );
}
