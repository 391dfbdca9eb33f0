import { CircleCheck, CircleX } from "lucide-react";
import { PrefetchOnIntent } from "#components/ui/prefetch-on-intent.tsx";
import { Cell, HeaderCell, Row, RowLink, Table, TableBody, TableHead } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { kindsSummary } from "./event-kinds.ts";
import { rateText } from "./rate-text.ts";
import { EndpointStateBadge } from "./state-badges.tsx";
import type { EndpointListRow } from "./webhook.ts";

export interface EndpointTableProps {
  readonly rows: readonly EndpointListRow[];
  /** What the delivery rate is of, e.g. "7 days". */
  readonly rateSpan: string;
}

export function EndpointTable({ rows, rateSpan }: EndpointTableProps) {
  return (
    <PrefetchOnIntent>
      <Table label="Webhook endpoints">
        <TableHead>
          <HeaderCell>Endpoint</HeaderCell>
          <HeaderCell>Events</HeaderCell>
          <HeaderCell>Status</HeaderCell>
          <HeaderCell align="end">Delivery rate, {rateSpan}</HeaderCell>
          <HeaderCell>Last attempt</HeaderCell>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell phone="title">
                <span className="block min-w-0 py-0.5">
                  <RowLink href={row.href}>
                    <span className="wrap-anywhere">{row.description === "" ? row.url : row.description}</span>
                  </RowLink>
                  {row.description !== "" && (
                    <span className="wrap-anywhere block font-mono text-text-muted text-xs">{row.url}</span>
                  )}
                </span>
              </Cell>
              <Cell label="Events" muted>
                <span title={row.kinds.length > 1 ? row.kinds.join(", ") : undefined}>{kindsSummary(row.kinds)}</span>
              </Cell>
              <Cell phone="corner">
                <EndpointStateBadge state={row.state} />
              </Cell>
              <Cell align="end" label={`Delivery rate, ${rateSpan}`}>
                <span className="tabular">{rateText(row.rate)}</span>
              </Cell>
              <Cell label="Last attempt" muted>
                {row.lastAttempt === null ? (
                  "None yet"
                ) : (
                  <span className="inline-flex items-center gap-1.5">
                    {row.lastAttempt.succeeded ? (
                      <CircleCheck aria-hidden className="size-3.5 shrink-0 text-positive" />
                    ) : (
                      <CircleX aria-hidden className="size-3.5 shrink-0 text-critical" />
                    )}
                    <span className="sr-only">{row.lastAttempt.succeeded ? "Succeeded" : "Failed"}</span>
                    <Timestamp value={row.lastAttempt.at} />
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
