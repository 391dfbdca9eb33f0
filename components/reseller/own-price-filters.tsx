"use client";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { ListSearch } from "#components/ui/list-search.tsx";
import { useListParams } from "#components/ui/use-list-params.ts";
import { ownPriceParams } from "./reseller-params.ts";

export function OwnPriceFilters({ ownCount }: { readonly ownCount: number }) {
  const list = useListParams(ownPriceParams);
  const own = list.values.own !== null;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <ListSearch label="Search prices" list={list} placeholder="Product or bundle" />
      <FilterChips
        chips={[
          { label: "With its own price", href: list.hrefWith({ own: own ? null : "1" }), active: own, count: ownCount },
        ]}
        label="Filter prices"
      />
    </div>
  );
}
