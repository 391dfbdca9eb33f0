"use client";
import { useRouter } from "next/navigation";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { SearchInput } from "#components/ui/search-input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { CatalogState } from "./catalog.ts";

export interface ProductFiltersProps {
  readonly q: string;
  readonly state: CatalogState | null;
  readonly provider: string | null;
  readonly providers: readonly string[];
}

const PATH = "/catalog";
const states = [
  { value: "on_sale", label: "On sale" },
  { value: "not_sold", label: "No price" },
  { value: "retired", label: "Retired" },
] as const satisfies readonly { value: CatalogState; label: string }[];

/** The address carries all of them. */
export function ProductFilters({ q, state, provider, providers }: ProductFiltersProps) {
  const router = useRouter();

  function hrefWith(change: Readonly<Record<string, string | null>>): string {
    const all = { q, state, provider, ...change };
    const given = Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1]));
    return given.length === 0 ? PATH : `${PATH}?${new URLSearchParams(given)}`;
  }

  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <SearchInput
        className="w-72 max-md:w-full"
        defaultValue={q}
        label="Search products"
        onSearch={(text) => router.replace(hrefWith({ q: text }), { scroll: false })}
        placeholder="Name, type or provider's code"
      />
      {providers.length > 1 && (
        <Select
          aria-label="Provider"
          className="w-44! max-md:w-full!"
          onChange={({ target }) => router.push(hrefWith({ provider: target.value }), { scroll: false })}
          options={providers.map((name) => ({ value: name, label: name }))}
          placeholder="All providers"
          value={provider ?? ""}
        />
      )}
      <FilterChips
        chips={states.map(({ value, label }) => ({
          label,
          href: hrefWith({ state: state === value ? null : value }),
          active: state === value,
        }))}
        label="Filter by state"
      />
    </div>
  );
}
