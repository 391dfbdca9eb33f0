import { ScrollText } from "lucide-react";
import { describeKey } from "#components/api-key/api-key.ts";
import { KeyActions } from "#components/api-key/key-actions.tsx";
import { KeyFacts } from "#components/api-key/key-facts.tsx";
import { KeyNotice } from "#components/api-key/key-notice.tsx";
import { type RequestView, requestLogHref } from "#components/api-key/key-params.ts";
import { KeyStateBadge } from "#components/api-key/key-state-badge.tsx";
import { statusGroups } from "#components/api-key/request-filter.ts";
import { RequestFilters } from "#components/api-key/request-filters.tsx";
import { RequestTable } from "#components/api-key/request-table.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { given, isFiltered, onward } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
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
        <ListCard
          count={requests.length}
          description="The last 14 days. Answered verifications are counted by the minute, everything else is listed one by one."
          empty={{
            description:
              "Requests made with this key are listed here for 14 days, about a second after they are answered.",
            icon: <ScrollText aria-hidden />,
            title: "No requests yet",
          }}
          filter={
            filtered && {
              clearHref: key.href,
              title: "No request matches",
              none: "Try another filter, or clear them all.",
            }
          }
          head={
            (requests.length > 0 || filtered || before !== null) && (
              <RequestFilters operations={operationNames} path={key.href} />
            )
          }
          pages={onward((before) => requestLogHref(key.href, { ...view, before }), {
            at: view.before,
            next: nextBefore && { at: nextBefore.startedAt, id: nextBefore.id },
          })}
          title="Requests"
        >
          <RequestTable rows={requests} />
        </ListCard>
      </div>
    </>
  );
}
