"use client";
import { usePathname, useRouter } from "next/navigation";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { SearchInput } from "#components/ui/search-input.tsx";

export interface OwnPriceFiltersProps {
  readonly q: string;
  readonly own: boolean;
  readonly ownCount: number;
}

/** The address carries both. */
export function OwnPriceFilters({ q, own, ownCount }: OwnPriceFiltersProps) {
  const router = useRouter();
  const pathname = usePathname();
  function hrefWith(change: { readonly q?: string; readonly own?: boolean }): string {
    const all = { q, own, ...change };
    const query = new URLSearchParams({ ...(all.q === "" ? {} : { q: all.q }), ...(all.own ? { own: "1" } : {}) });
    return query.size === 0 ? pathname : `${pathname}?${query}`;
  }
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <SearchInput
        className="w-72 max-md:w-full"
        defaultValue={q}
        label="Search prices"
        onSearch={(text) => router.replace(hrefWith({ q: text }), { scroll: false })}
        placeholder="Product or bundle"
      />
      <FilterChips
        chips={[{ label: "With an own price", href: hrefWith({ own: !own }), active: own, count: ownCount }]}
        label="Filter prices"
      />
    </div>
  );
}
