import { ScrollText } from "lucide-react";
import { operationNames } from "#app/(dashboard)/api-keys/operations.ts";
import { type RequestView, requestLogHref } from "#components/api-key/key-params.ts";
import { statusGroups } from "#components/api-key/request-filter.ts";
import { RequestFilters, type RequestFiltersProps } from "#components/api-key/request-filters.tsx";
import { RequestTable } from "#components/api-key/request-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { given, isFiltered, onward } from "#components/ui/list-params.ts";
import { timeLimitsOf } from "#components/ui/time-span.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { listApiRequests } from "#lib/services/api-key/list-requests.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/** Which requests are listed. */
export const requestLogScope =
  "The last 14 days. Answered verifications and requests over the limit are counted by the minute; everything else is listed one by one.";

export interface RequestLogProps {
  readonly ctx: ServiceContext;
  /** The page's address. */
  readonly path: string;
  readonly view: RequestView;
  /** The key whose page it is; null: all keys of the reseller. */
  readonly apiKeyId: ApiKeyId | null;
  /** To choose from, on the page of all keys. */
  readonly keys?: RequestFiltersProps["keys"];
}

/** Requests with one key, or with all keys of a reseller. */
export async function RequestLog({ ctx, path, view, apiKeyId, keys = [] }: RequestLogProps) {
  const { before, request: requestId, key } = view;
  const operation = operationNames.find((name) => name === view.operation);
  const statusClass = statusGroups.find(({ value }) => value === view.status)?.statusClass;
  const page = await listApiRequests(ctx, {
    filter: {
      ...given({ operation, statusClass, requestId, apiKeyId: apiKeyId ?? (key as ApiKeyId | null) }),
      ...timeLimitsOf(view, ctx.now()),
    },
    before: before && { startedAt: before.at, id: before.id },
  });
  const filtered = isFiltered(view);
  return (
    <ListCard
      empty={{
        action: <ButtonLink href="/docs">Open API reference</ButtonLink>,
        description: `The next request with ${apiKeyId === null ? "one of your keys" : "this key"} appears here about a second after its answer.`,
        icon: <ScrollText />,
        title: "No requests yet",
      }}
      filter={{
        view,
        clearHref: path,
        title: "No request matches",
        none: "Try another filter, or clear them all.",
      }}
      head={
        (page.rows.length > 0 || filtered || before !== null) && (
          <div className={apiKeyId === null ? "pt-3" : undefined}>
            <RequestFilters keys={keys} operations={operationNames} />
          </div>
        )
      }
      page={page}
      pages={onward(
        (before) => requestLogHref(path, { ...view, before }),
        before,
        page.next && { at: page.next.startedAt, id: page.next.id },
      )}
      {...(apiKeyId === null ? {} : { title: "Requests", description: requestLogScope })}
    >
      <RequestTable keysPath={apiKeyId === null ? "/api-keys" : null} rows={page.rows} />
    </ListCard>
  );
}
