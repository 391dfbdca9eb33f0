import { Plus } from "lucide-react";
import { hrefOf } from "#app/search-params.ts";
import { KeyListEmpty } from "#components/api-key/key-list-empty.tsx";
import { KeyTable } from "#components/api-key/key-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { listApiKeys } from "#lib/services/api-key/list.ts";
import type { KeyPlace } from "./place.ts";
import { presentKey } from "./present.ts";
import { type KeyListView, keyStates } from "./view.ts";

const PAGE_SIZE = 50;

/** The list of keys, of one's own or of a reseller. */
export async function KeyListScreen({ place, view }: { readonly place: KeyPlace; readonly view: KeyListView }) {
  const { ctx, path, trail } = place;
  const { keys, nextBefore } = await listApiKeys(ctx, { ...view, limit: PAGE_SIZE });
  const { state } = view;
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
              href: hrefOf(path, { state: state === value ? null : value }),
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
          <KeyTable keys={keys.map((key) => presentKey(key, path, ctx.now()))} />
        )}
        <Pagination
          firstHref={view.before === null ? null : hrefOf(path, { state })}
          nextHref={nextBefore === null ? null : hrefOf(path, { state, before: nextBefore })}
          summary={`${keys.length} shown, newest first`}
        />
      </Card>
    </>
  );
}
