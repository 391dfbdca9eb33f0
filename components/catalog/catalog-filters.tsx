"use client";
import { AddressSearch } from "#components/ui/address-search.tsx";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { Select } from "#components/ui/select.tsx";
import { useListAddress } from "#components/ui/use-list-address.ts";
import type { CatalogState } from "./catalog.ts";

export interface CatalogFiltersProps {
  /** What is listed, e.g. "products". */
  readonly noun: string;
  /** What the search looks at. */
  readonly placeholder: string;
  readonly q: string;
  readonly state: CatalogState | null;
  readonly provider: string | null;
  /** To choose from; none where the list is not by provider. */
  readonly providers: readonly string[];
}

const filterNames = ["q", "state", "provider"];
const states = [
  { value: "on_sale", label: "On sale" },
  { value: "not_sold", label: "No price" },
  { value: "retired", label: "Retired" },
] as const satisfies readonly { value: CatalogState; label: string }[];

/** The address carries all of them. */
export function CatalogFilters({ noun, placeholder, q, state, provider, providers }: CatalogFiltersProps) {
  const address = useListAddress(filterNames, { q, state, provider });
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <AddressSearch address={address} label={`Search ${noun}`} placeholder={placeholder} />
      {providers.length > 1 && (
        <Select
          aria-label="Provider"
          className="w-44! max-md:w-full!"
          onChange={({ target }) => address.change({ provider: target.value })}
          options={providers.map((name) => ({ value: name, label: name }))}
          placeholder="All providers"
          value={provider ?? ""}
        />
      )}
      <FilterChips
        chips={states.map(({ value, label }) => ({
          label,
          href: address.hrefWith({ state: state === value ? null : value }),
          active: state === value,
        }))}
        follow={address.follow}
        label="Filter by state"
      />
    </div>
  );
}
