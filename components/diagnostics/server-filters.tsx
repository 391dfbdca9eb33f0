"use client";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { ListSearch } from "#components/ui/list-search.tsx";
import { useListParams } from "#components/ui/use-list-params.ts";
import { problemNames, serverProblems } from "./check-text.ts";
import { serverParams } from "./server-params.ts";

export function ServerFilters() {
  const list = useListParams(serverParams);
  const { problem } = list.values;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <ListSearch label="Search servers" list={list} placeholder="Host name or address" />
      <FilterChips
        chips={serverProblems.map((value) => ({
          label: problemNames[value],
          href: list.hrefWith({ problem: problem === value ? null : value }),
          active: problem === value,
        }))}
        label="Filter by problem"
      />
    </div>
  );
}
