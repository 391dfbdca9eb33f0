import { describeKey } from "#components/api-key/api-key.ts";
import { KeyActions } from "#components/api-key/key-actions.tsx";
import { KeyFacts } from "#components/api-key/key-facts.tsx";
import { KeyNotice } from "#components/api-key/key-notice.tsx";
import { type RequestView, requestLogHref } from "#components/api-key/key-params.ts";
import { KeyStateBadge } from "#components/api-key/key-state-badge.tsx";
import { statusGroups } from "#components/api-key/request-filter.ts";
import { RequestFilters } from "#components/api-key/request-filters.tsx";
import { RequestLogEmpty } from "#components/api-key/request-log-empty.tsx";
import { RequestTable } from "#components/api-key/request-table.tsx";
import { Card } from "#components/ui/card.tsx";
import { given, isFiltered, onward } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { timeLimitsOf } from "#components/ui/time-span.ts";
import { listApiRequests } from "#lib/services/api-key/list-requests.ts";
import { revoke, rotate, setRateLimit } from "./actions.ts";
import { operationNames } from "./operations.ts";
import { findKey, type KeyPlace } from "./place.ts";

const PAGE_SIZE = 50;

export interface KeyScreenProps {
  readonly place: KeyPlace;
  /** As in the address. */
  readonly id: string;
  readonly view: RequestView;
}

/** One key, and what was asked with it. */
export async function KeyScreen({ place, id, view }: KeyScreenProps) {
  const { ctx, path, trail, resellerId } = place;
  const key = describeKey(await findKey(resellerId === null ? null : String(resellerId), id), path, ctx.now());
  const { before } = view;
  const operation = operationNames.find((name) => name === view.operation);
  const statusClass = statusGroups.find(({ value }) => value === view.status)?.statusClass;
  const { requests, nextBefore } = await listApiRequests(ctx, {
    apiKeyId: key.apiKeyId,
    filter: { ...given({ operation, statusClass }), ...timeLimitsOf(view, ctx.now()) },
    before: before && { startedAt: before.at, id: before.id },
    limit: PAGE_SIZE,
  });
  const filtered = isFiltered(view);
  return (
    <>
      <PageHeader
        actions={
          <KeyActions
            actions={{
              rotate: rotate.bind(null, { resellerId }),
              revoke: revoke.bind(null, { resellerId }),
              setRateLimit: resellerId === null ? null : setRateLimit.bind(null, { resellerId }),
            }}
            key={key.apiKeyId}
            keyDetails={key}
          />
        }
        badge={<KeyStateBadge state={key.state} />}
        title={key.name}
        trail={[...trail, { label: "API keys", href: path }]}
      />
      <div className="flex flex-col gap-5">
        <KeyNotice keyDetails={key} />
        <KeyFacts keyDetails={key} />
        <Card
          description="The last 14 days. Answered verifications are counted by the minute, everything else is listed one by one."
          flush
          title="Requests"
        >
          {(requests.length > 0 || filtered || before !== null) && (
            <RequestFilters operations={operationNames} path={key.href} />
          )}
          {requests.length === 0 ? (
            <RequestLogEmpty clearHref={key.href} filtered={filtered || before !== null} />
          ) : (
            <RequestTable rows={requests} />
          )}
          <Pagination
            {...onward((before) => requestLogHref(key.href, { ...view, before }), {
              at: view.before,
              next: nextBefore && { at: nextBefore.startedAt, id: nextBefore.id },
            })}
            summary={`${requests.length} shown, newest first`}
          />
        </Card>
      </div>
    </>
  );
}
