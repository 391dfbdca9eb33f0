"use client";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { ListSearch } from "#components/ui/list-search.tsx";
import { useListParams } from "#components/ui/use-list-params.ts";
import { resellerParams } from "./reseller-params.ts";

export function ResellerFilters() {
  const list = useListParams(resellerParams);
  const low = list.values.low === true;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <ListSearch label="Search resellers" list={list} placeholder="Name or email" />
      <FilterChips
        chips={[{ label: "Low balance", href: list.hrefWith({ low: low ? null : true }), active: low }]}
        label="Filter by balance"
      />
    </div>
  );
}
