import { atEnd } from "#components/ui/column.ts";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import { ComparisonText } from "./comparison-text.tsx";
import type { ProviderView } from "./provider.ts";
import { ProviderStateBadge } from "./provider-state-badge.tsx";

export function ProviderTable({ rows }: { readonly rows: readonly ProviderView[] }) {
  return (
    <Table
      columns={["Provider", "Status", "Last request", "Last reconciled", atEnd("Pending"), atEnd("Products")]}
      label="Providers"
    >
      {rows.map((row) => (
        <Row key={row.name}>
          <Cell phone="title">
            <span className="block min-w-0 py-0.5">
              <RowLink href={row.href}>{row.name}</RowLink>
              {row.baseUrl === null ? (
                <span className="block text-text-muted text-xs">Test provider</span>
              ) : (
                <span className="wrap-anywhere block font-mono text-text-muted text-xs">
                  {row.baseUrl.replace(/\/$/, "")}
                </span>
              )}
            </span>
          </Cell>
          <Cell phone="corner">
            <ProviderStateBadge state={row.state} />
          </Cell>
          <Cell label="Last request" muted phone={row.state === "untried" ? "hidden" : "line"}>
            <LastRequest health={row.health} />
          </Cell>
          <Cell label="Last reconciled" muted>
            <ComparisonText comparison={row.comparison} />
          </Cell>
          <Cell align="end" label="Pending">
            {numberText(row.openOperations)}
          </Cell>
          <Cell align="end" label="Products">
            {numberText(row.productCount)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function LastRequest({ health }: Pick<ProviderView, "health">) {
  if (health === null) return "Runs inside License Desk";
  const { lastSuccessAt, lastFailure } = health;
  if (lastFailure !== null && (lastSuccessAt === null || lastFailure.at > lastSuccessAt)) {
    return (
      <span className="text-critical" title={lastFailure.message}>
        Failed <Timestamp format="relative" value={lastFailure.at} />
      </span>
    );
  }
  return lastSuccessAt === null ? "Never" : <Timestamp format="relative" value={lastSuccessAt} />;
}
