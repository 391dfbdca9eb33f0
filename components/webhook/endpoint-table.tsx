import { CircleCheck, CircleX, Webhook } from "lucide-react";
import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { atEnd } from "#components/ui/column.ts";
import { cx } from "#components/ui/cx.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { UrlText } from "#components/ui/url-text.tsx";
import type { WebhookEndpointView } from "#lib/services/webhook/endpoint.ts";
import type { EndpointActivityRow } from "#lib/services/webhook/stats.ts";
import { endpointHref, endpointState } from "./describe-endpoint.ts";
import { endpointName } from "./endpoint-name.ts";
import { kindsSummary } from "./event-kinds.ts";
import { rateText } from "./rate-text.ts";
import { EndpointStateBadge } from "./state-badges.tsx";

const RATE = "Delivery rate, 7 days";

interface EndpointTableProps {
  readonly endpoints: readonly WebhookEndpointView[];
  /** Of the last 7 days. */
  readonly activity: readonly EndpointActivityRow[];
}

export function EndpointTable({ endpoints, activity }: EndpointTableProps) {
  return (
    <Table columns={["Endpoint", "Events", "Status", atEnd(RATE), "Last attempt"]} label="Webhook endpoints">
      {endpoints.map((endpoint) => (
        <EndpointRow
          activity={activity.find(({ endpointId }) => endpointId === endpoint.id)}
          endpoint={endpoint}
          key={endpoint.id}
        />
      ))}
    </Table>
  );
}

interface EndpointRowProps {
  readonly endpoint: EndpointTableProps["endpoints"][number];
  readonly activity: EndpointActivityRow | undefined;
}

function EndpointRow({ endpoint, activity }: EndpointRowProps) {
  const { id, url, chatId, description, kinds, firstFailedAt } = endpoint;
  const isNamedByUrl = description === "" && chatId === null;
  const { succeeded = 0, failed = 0, lastAttemptAt = null } = activity ?? {};
  const isUntried = succeeded + failed === 0;
  return (
    <Row>
      <Cell phone="title">
        <span className="block min-w-0 py-0.5">
          <RowLink href={endpointHref(id)}>
            <span className={cx("wrap-anywhere", isNamedByUrl && "font-mono text-sm")}>
              <UrlText>{endpointName(endpoint)}</UrlText>
            </span>
          </RowLink>
          {!isNamedByUrl && (
            <span className="wrap-anywhere block font-mono text-text-muted text-xs">
              <UrlText>{url}</UrlText>
            </span>
          )}
        </span>
      </Cell>
      <Cell label="Events" muted>
        <span title={kinds.length > 1 ? kinds.join(", ") : undefined}>{kindsSummary(kinds)}</span>
      </Cell>
      <Cell phone="corner">
        <EndpointStateBadge state={endpointState(endpoint)} />
      </Cell>
      <Cell align="end" label={RATE} muted={isUntried}>
        {isUntried && endpoint.status === "pending" ? "Not verified" : rateText({ succeeded, failed })}
      </Cell>
      <Cell empty={lastAttemptAt === null} label="Last attempt" muted>
        {lastAttemptAt && (
          <span className="inline-flex items-baseline gap-1.5">
            {firstFailedAt === null ? (
              <CircleCheck className="size-3.5 shrink-0 self-center text-positive" />
            ) : (
              <CircleX className="size-3.5 shrink-0 self-center text-critical" />
            )}
            <span className="sr-only">{firstFailedAt === null ? "Succeeded" : "Failed"}</span>
            <Timestamp value={lastAttemptAt} />
          </span>
        )}
      </Cell>
    </Row>
  );
}

export function NoEndpoints() {
  return (
    <EmptyState
      action={
        <Allowed to="webhooks:write">
          <ButtonLink href="/webhooks/new" variant="primary">
            Add your first endpoint
          </ButtonLink>
        </Allowed>
      }
      description="Enter your system's URL, and it receives every change within seconds: a license registered, renewed, or expired, or a balance running low. Every message is signed."
      icon={<Webhook />}
      title="No endpoints yet"
    />
  );
}
