import { Badge } from "#components/ui/badge.tsx";
import { atEnd } from "#components/ui/column.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { durationText } from "#components/ui/duration-text.ts";
import { Cell, Row, RowControl, Table } from "#components/ui/table.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import type { ApiRequestRow } from "#lib/services/api-key/list-requests.ts";
import { keyHref } from "./api-key.ts";

export interface RequestTableProps {
  readonly rows: readonly ApiRequestRow[];
  /** The list of keys; null where all rows are of one key. */
  readonly keysPath: string | null;
}

export function RequestTable({ rows, keysPath }: RequestTableProps) {
  return (
    <Table
      columns={["Operation", keysPath !== null && "Key", "Status", "Time", atEnd("Duration"), "Request ID"]}
      label="Requests"
    >
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell phone="title">
            <span className="mr-2 inline-block min-w-8 font-mono font-normal text-text-muted text-xs">
              {row.method}
            </span>
            <span>
              {operationText(row)}
              {row.requestId === null && (
                <span className="tabular ml-2 whitespace-nowrap font-normal text-text-muted text-xs">
                  {`× ${numberText(row.requestCount)}`}
                </span>
              )}
            </span>
          </Cell>
          {keysPath !== null && (
            <Cell label="Key" muted>
              <TextLink className="wrap-anywhere" href={keyHref(keysPath, row.apiKeyId)}>
                {row.keyName}
              </TextLink>
            </Cell>
          )}
          <Cell phone="corner">
            {row.status < 400 ? (
              <span className="tabular px-1.5 text-text-muted max-md:px-0">{row.status}</span>
            ) : (
              <Badge tone={row.status >= 500 ? "critical" : "caution"}>{row.status}</Badge>
            )}
          </Cell>
          <Cell muted>
            <Timestamp format={row.requestId === null ? "datetime" : "exact"} value={row.startedAt} />
          </Cell>
          <Cell align="end" muted phone="beside">
            <span className="tabular whitespace-nowrap" title={durationTitle(row)}>
              {row.requestCount > 1 && <span className="text-xs">avg </span>}
              {durationText(row.meanDurationUs / 1_000)}
            </span>
          </Cell>
          <Cell label="Request ID" muted phone={row.requestId === null ? "hidden" : "line"}>
            {row.requestId === null ? (
              <span title="Counted by the minute">
                <span aria-hidden>–</span>
                <span className="sr-only">Counted by the minute</span>
              </span>
            ) : (
              <RowControl>
                <code className="mr-1 font-mono text-xs">{row.requestId}</code>
                <CopyButton label="Copy request ID" value={row.requestId} />
              </RowControl>
            )}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function operationText({ operation, status }: ApiRequestRow): string {
  if (operation !== "") return operation;
  return status === 404 ? "Unknown path" : "Rejected before it was read";
}

function durationTitle({ requestCount, maxDurationUs }: ApiRequestRow): string | undefined {
  if (requestCount <= 1) return undefined;
  return `Average of ${numberText(requestCount)}; the longest took ${durationText(maxDurationUs / 1_000)}`;
}
