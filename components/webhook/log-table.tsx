import { ObjectId } from "#components/ui/object-id.tsx";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { endpointName } from "./endpoint-name.ts";
import type { LogRow } from "./log-row.ts";
import { OutcomeBadge } from "./state-badges.tsx";
import { Until } from "./until.tsx";

interface LogTableProps {
  readonly rows: readonly LogRow[];
  /** Rows after this one have come since the log was opened. */
  readonly openedAtId?: number;
  /** Where all rows are of one endpoint, its column is left out. */
  readonly oneEndpoint?: boolean;
}

export function LogTable({ rows, openedAtId = Number.POSITIVE_INFINITY, oneEndpoint = false }: LogTableProps) {
  const withLicense = rows.some(({ license }) => license !== null);
  return (
    <Table
      columns={["Event", withLicense && "License", "Outcome", "Last answer", !oneEndpoint && "Endpoint", "Time"]}
      label="Webhook deliveries"
    >
      {rows.map((row) => (
        <LogTableRow
          fresh={row.id > openedAtId}
          key={row.id}
          oneEndpoint={oneEndpoint}
          row={row}
          withLicense={withLicense}
        />
      ))}
    </Table>
  );
}

interface LogTableRowProps {
  readonly row: LogRow;
  readonly fresh: boolean;
  readonly oneEndpoint: boolean;
  readonly withLicense: boolean;
}

function LogTableRow({ row, fresh, oneEndpoint, withLicense }: LogTableRowProps) {
  return (
    <Row>
      <Cell phone="title">
        <RowLink href={row.href}>{row.kind}</RowLink>
        {row.test && <span className="ml-2 text-text-muted text-xs">Test</span>}
        {fresh && (
          <span className="ml-2 inline-flex items-center">
            <span aria-hidden className="enter-fade size-1.5 rounded-full bg-accent" />
            <span className="sr-only">, new</span>
          </span>
        )}
      </Cell>
      {withLicense && (
        <Cell empty={row.license === null} label="License" muted>
          <ObjectId>{row.license}</ObjectId>
        </Cell>
      )}
      <Cell phone="corner">
        <OutcomeBadge outcome={row.outcome} quiet />
      </Cell>
      <Cell label="Last answer" muted>
        <span className="tabular whitespace-nowrap">
          {answerText(row)}
          {row.outcome === "pending" && row.attempts > 0 && !row.underWay && row.nextAttemptAt && (
            <>
              , next <Until value={row.nextAttemptAt} />
            </>
          )}
        </span>
      </Cell>
      {!oneEndpoint && (
        <Cell muted>
          <span className="wrap-anywhere line-clamp-1 max-w-72" title={row.endpoint.url}>
            {endpointName(row.endpoint)}
          </span>
        </Cell>
      )}
      <Cell label="Time" muted phone={oneEndpoint ? "line" : "beside"}>
        <Timestamp format="exact" value={row.at} />
      </Cell>
    </Row>
  );
}

/** "HTTP 503, attempt 2": what the receiver answered last. */
export function answerText({ attempts, outcome, status, underWay }: LogRow): string {
  if (attempts === 0) return outcome === "pending" ? "Not sent yet" : "Not sent";
  const answer = underWay ? "In progress" : status === null ? "No answer" : `HTTP ${status}`;
  return attempts === 1 ? answer : `${answer}, attempt ${attempts}`;
}
