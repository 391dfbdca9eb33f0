import { Server } from "lucide-react";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { atEnd } from "#components/ui/column.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import { describeCheck } from "./check-text.ts";
import { type ServerListRow, serverHref } from "./server.ts";
import { ServerBadge } from "./server-badge.tsx";

export function ServerTable({ rows }: { readonly rows: readonly ServerListRow[] }) {
  return (
    <Table columns={["Server", "Status", "Worst check", atEnd("Licenses"), "Last report"]} label="Servers">
      {rows.map((row) => (
        <Row key={row.address}>
          <Cell phone="title">
            <span className="wrap-anywhere py-0.5">
              <RowLink href={serverHref(row.address)}>{row.hostname}</RowLink>
              <span className="block whitespace-nowrap font-mono text-text-muted text-xs">{row.address}</span>
            </span>
          </Cell>
          <Cell phone="corner">
            <ServerBadge severity={row.severity} />
          </Cell>
          <Cell label="Worst check" muted={row.problems.length === 0}>
            <Worst problems={row.problems} />
          </Cell>
          <Cell align="end" label="Licenses">
            {numberText(row.licenseCount)}
          </Cell>
          <Cell label="Last report" muted>
            <Timestamp format="relative" value={row.reportedAt} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Worst({ problems }: Pick<ServerListRow, "problems">) {
  const [worst, ...others] = problems;
  if (worst === undefined) return "All checks pass";
  return (
    <span className="wrap-anywhere text-right md:text-left">
      {describeCheck(worst).title}
      {others.length > 0 && (
        <span className="ml-1.5 text-text-muted" title={others.map((check) => describeCheck(check).title).join(", ")}>
          and {others.length} more
        </span>
      )}
    </span>
  );
}

/** Before any server reports: why it is worth it, and how. */
export function NoServers() {
  return (
    <Card>
      <EmptyState
        action={
          <ButtonLink href="/licenses" variant="primary">
            Choose a license
          </ButtonLink>
        }
        description="Every hour, the agent reports whether the license verifies, the free disk and the clock. The install command is on each license’s page."
        icon={<Server />}
        title="No server reports yet"
      />
    </Card>
  );
}
