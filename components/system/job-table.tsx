import { Badge } from "#components/ui/badge.tsx";
import { Cell, HeaderCell, Row, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";

export interface JobLine {
  readonly name: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seconds: number;
  /** Null: it succeeded. */
  readonly error: string | null;
}

export function JobTable({ jobs }: { readonly jobs: readonly JobLine[] }) {
  return (
    <Table label="Scheduled jobs">
      <TableHead>
        <HeaderCell>Job</HeaderCell>
        <HeaderCell>Last run</HeaderCell>
        <HeaderCell align="end">Took</HeaderCell>
        <HeaderCell>Result</HeaderCell>
      </TableHead>
      <TableBody>
        {jobs.map(({ name, startedAt, seconds, error }) => (
          <Row key={name}>
            <Cell phone="title">
              <code className="wrap-anywhere">{name}</code>
            </Cell>
            <Cell label="Last run" muted>
              <Timestamp format="relative" value={startedAt} />
            </Cell>
            <Cell label="Took" muted align="end">
              {seconds.toFixed(1)} s
            </Cell>
            <Cell label="Result">
              {error === null ? (
                <Badge tone="positive">Succeeded</Badge>
              ) : (
                <span className="wrap-anywhere text-critical">Failed: {error}</span>
              )}
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
