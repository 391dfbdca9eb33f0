import { durationText } from "#components/api-key/duration-text.ts";
import { Badge } from "#components/ui/badge.tsx";
import { atEnd } from "#components/ui/column.ts";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { jobTitle } from "#lib/domain/system-health.ts";

export interface JobLine {
  readonly name: string;
  /** ISO 8601. Null: no run has ended. */
  readonly startedAt: string | null;
  readonly seconds: number | null;
  /** Null: it succeeded. */
  readonly error: string | null;
  /** It has been due for a while, and nobody runs it. */
  readonly late: boolean;
}

const isProblem = ({ error, late }: JobLine) => Number(error !== null || late);

/** What failed or is late comes first. */
export function JobTable({ jobs }: { readonly jobs: readonly JobLine[] }) {
  const sorted = jobs.toSorted((one, other) => isProblem(other) - isProblem(one));
  return (
    <Table columns={["Job", "Last run", atEnd("Took"), "Result"]} label="Scheduled jobs">
      {sorted.map(({ name, startedAt, seconds, error, late }) => (
        <Row key={name}>
          <Cell phone="title">
            <span className="whitespace-nowrap">{jobTitle(name)}</span>
          </Cell>
          <Cell label="Last run" muted>
            {startedAt === null ? "Not run yet" : <Timestamp format="relative" value={startedAt} />}
          </Cell>
          <Cell label="Took" muted align="end">
            <span className="whitespace-nowrap">{seconds === null ? "–" : durationText(seconds * 1_000_000)}</span>
          </Cell>
          <Cell label="Result">
            {late ? (
              <Badge tone="critical">Late</Badge>
            ) : startedAt === null ? (
              <span className="text-text-muted">–</span>
            ) : error === null ? (
              <Badge tone="positive">Succeeded</Badge>
            ) : (
              <span className="flex flex-col items-start gap-0.5 py-0.5 max-md:items-end">
                <Badge tone="critical">Failed</Badge>
                <span className="wrap-anywhere text-text-muted max-md:text-right">{error}</span>
              </span>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
