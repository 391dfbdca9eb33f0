import { Plus } from "lucide-react";
import { describeKey } from "#components/api-key/api-key.ts";
import { KeyListEmpty } from "#components/api-key/key-list-empty.tsx";
import { type KeyListView, keyListHref } from "#components/api-key/key-params.ts";
import { KeyTable } from "#components/api-key/key-table.tsx";
import { keyStates } from "#components/api-key/request-filter.ts";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { onward } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { listApiKeys } from "#lib/services/api-key/list.ts";
import type { KeyPlace } from "./place.ts";

const PAGE_SIZE = 50;

/** The list of keys, of one's own or of a reseller. */
export async function KeyListScreen({ place, view }: { readonly place: KeyPlace; readonly view: KeyListView }) {
  const { ctx, path, trail } = place;
  const { state } = view;
  const { keys, nextBefore } = await listApiKeys(ctx, {
    state,
    before: view.before as ApiKeyId | null,
    limit: PAGE_SIZE,
  });
  const filtered = state !== null || view.before !== null;
  return (
    <>
      <PageHeader
        actions={
          (keys.length > 0 || filtered) && (
            <ButtonLink href={`${path}/new`} icon={<Plus aria-hidden className="size-4" />} variant="primary">
              Create key
            </ButtonLink>
          )
        }
        title="API keys"
        trail={trail}
      />
      {(keys.length > 0 || filtered) && (
        <div className="mb-3">
          <FilterChips
            chips={keyStates.map(({ value, label }) => ({
              label,
              href: keyListHref(path, { state: state === value ? null : value }),
              active: state === value,
            }))}
            clearHref={path}
            label="Filter by state"
          />
        </div>
      )}
      <Card flush>
        {keys.length === 0 ? (
          <KeyListEmpty filtered={filtered} listHref={path} />
        ) : (
          <KeyTable keys={keys.map((key) => describeKey(key, path, ctx.now()))} />
        )}
        <Pagination
          {...onward((before) => keyListHref(path, { state, before }), { at: view.before, next: nextBefore })}
          summary={`${keys.length} shown, newest first`}
        />
      </Card>
    </>
  );
}
