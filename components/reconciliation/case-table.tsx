import { PrefetchOnIntent } from "#components/ui/prefetch-on-intent.tsx";
import { Cell, HeaderCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { CaseKind, CaseResolution } from "#lib/domain/reconciliation.ts";
import { CaseKindBadge } from "./case-kind-badge.tsx";
import { resolutionNames } from "./case-text.ts";

export interface CaseListRow {
  readonly id: number;
  readonly href: string;
  readonly kind: CaseKind;
  /** Product and license, or the provider's reference. */
  readonly subject: string;
  readonly reference: string;
  /** Empty where the provider's record is nobody's. */
  readonly reseller: string;
  readonly provider: string;
  readonly difference: string;
  /** E.g. "$14.50 held"; empty where no money is at stake. */
  readonly stake: string;
  /** ISO 8601, UTC. */
  readonly firstSeenAt: string;
  readonly resolution: CaseResolution | null;
  /** ISO 8601, UTC. */
  readonly resolvedAt: string | null;
}

export function CaseTable({ rows, resolved }: { readonly rows: readonly CaseListRow[]; readonly resolved: boolean }) {
  return (
    <PrefetchOnIntent>
      <Table label="Cases">
        <TableHead>
          <HeaderCell>License</HeaderCell>
          <HeaderCell>Case</HeaderCell>
          <HeaderCell>Here → there</HeaderCell>
          <HeaderCell>Reseller</HeaderCell>
          <HeaderCell align="end">At stake</HeaderCell>
          <HeaderCell>{resolved ? "Closed" : "First seen"}</HeaderCell>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <CaseTableRow key={row.id} row={row} />
          ))}
        </TableBody>
      </Table>
    </PrefetchOnIntent>
  );
}

function CaseTableRow({ row }: { readonly row: CaseListRow }) {
  return (
    <Row>
      <Cell phone="title">
        <RowLink href={row.href}>{row.subject}</RowLink>
        <span className="ml-1.5 font-mono text-text-muted text-xs max-2xl:hidden">{row.reference}</span>
      </Cell>
      <Cell phone="corner">
        <CaseKindBadge kind={row.kind} />
      </Cell>
      <Cell label="Here → there" mono phone={row.difference === "" ? "hidden" : "line"}>
        <span className="wrap-anywhere text-right md:text-left">{row.difference}</span>
      </Cell>
      <Cell label="Reseller" muted>
        {row.reseller === "" ? "Nobody's" : row.reseller}
      </Cell>
      <Cell align="end" label="At stake" phone={row.stake === "" ? "hidden" : "line"}>
        <span className="tabular whitespace-nowrap">{row.stake}</span>
      </Cell>
      <Cell label={row.resolvedAt ? "Closed" : "First seen"} muted>
        <span className="whitespace-nowrap">
          {row.resolution && <span className="mr-2 text-text">{resolutionNames[row.resolution]}</span>}
          <Timestamp format="relative" value={row.resolvedAt ?? row.firstSeenAt} />
        </span>
      </Cell>
    </Row>
  );
}
