import { type BulkJobView, progressOf } from "#components/bulk/bulk-job.ts";
import { BulkJobBadge } from "#components/bulk/bulk-state-badge.tsx";
import { Cell, HeaderCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";

export function RelocationTable({ relocations }: { readonly relocations: readonly BulkJobView[] }) {
  return (
    <Table label="Relocations">
      <TableHead>
        <HeaderCell>Addresses</HeaderCell>
        <HeaderCell>Started</HeaderCell>
        <HeaderCell>By</HeaderCell>
        <HeaderCell>Status</HeaderCell>
        <HeaderCell align="end">Moved</HeaderCell>
      </TableHead>
      <TableBody>
        {relocations.map((job) => (
          <Row key={job.id}>
            <Cell mono phone="title">
              <RowLink href={job.href}>{job.detail}</RowLink>
            </Cell>
            <Cell label="Started" muted>
              <Timestamp value={job.createdAt} />
            </Cell>
            <Cell label="By" muted>
              {job.startedBy}
            </Cell>
            <Cell phone="corner">
              <BulkJobBadge job={job} />
            </Cell>
            <Cell align="end" label="Moved">
              <span className="tabular whitespace-nowrap">
                {job.counts.succeeded} of {progressOf(job.counts).total}
              </span>
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
