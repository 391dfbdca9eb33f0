import { Badge } from "#components/ui/badge.tsx";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import type { KeyUsage } from "#lib/services/api-key/list-usage.ts";
import { keyHref } from "./api-key.ts";

export interface UsageTableProps {
  readonly rows: readonly KeyUsage[];
  /** The list of keys. */
  readonly keysPath: string;
}

/** Keys, with their busiest minute against their rate limit. */
export function UsageTable({ rows, keysPath }: UsageTableProps) {
  return (
    <Table columns={["Key", "Busiest minute", "Requests"]} label="Rate limits">
      {rows.map((row) => (
        <Row key={row.apiKeyId}>
          <Cell phone="title">
            <RowLink href={keyHref(keysPath, row.apiKeyId)}>
              <span className="wrap-anywhere">{row.name}</span>
            </RowLink>
          </Cell>
          <Cell label="Busiest minute" muted>
            <Timestamp format="datetime" value={row.minute} />
          </Cell>
          <Cell label="Requests">
            <Usage usage={row} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

const NEAR_LIMIT = 0.8;

/** "480 of 600", and whether that is close to the limit or beyond it. */
export function Usage({ usage: { requestCount, limitedCount, rateLimitPerMinute } }: { readonly usage: KeyUsage }) {
  return (
    <span className="tabular inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      {`${numberText(requestCount)} of ${numberText(rateLimitPerMinute)}`}
      {limitedCount > 0 ? (
        <Badge tone="critical">{`${numberText(limitedCount)} refused`}</Badge>
      ) : (
        requestCount >= rateLimitPerMinute * NEAR_LIMIT && <Badge tone="caution">Near the limit</Badge>
      )}
    </span>
  );
}
