"use client";
import { chipsOf, FilterChips } from "#components/ui/filter-chips.tsx";
import { ListSearch } from "#components/ui/list-search.tsx";
import { Select } from "#components/ui/select.tsx";
import { useListParams } from "#components/ui/use-list-params.ts";
import type { CatalogState } from "#lib/domain/catalog.ts";
import { catalogParams } from "./catalog-params.ts";

export interface CatalogFiltersProps {
  /** What is listed, e.g. "products". */
  readonly noun: string;
  /** What the search looks at. */
  readonly placeholder: string;
  /** To choose from; none where the list is not by provider. */
  readonly providers: readonly string[];
}

const states = [
  { value: "on_sale", label: "On sale" },
  { value: "not_sold", label: "No price" },
  { value: "retired", label: "Retired" },
] as const satisfies readonly { value: CatalogState; label: string }[];

export function CatalogFilters({ noun, placeholder, providers }: CatalogFiltersProps) {
  const list = useListParams(catalogParams);
  const { provider, state } = list.values;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <ListSearch label={`Search ${noun}`} list={list} placeholder={placeholder} />
      {providers.length > 1 && (
        <Select
          aria-label="Provider"
          className="w-44! max-md:w-full!"
          onChange={({ target }) => list.change({ provider: target.value || null })}
          options={providers.map((name) => ({ value: name, label: name }))}
          placeholder="All providers"
          value={provider ?? ""}
        />
      )}
      <FilterChips chips={chipsOf(states, state, (state) => list.hrefWith({ state }))} label="Filter by state" />
    </div>
  );
}
