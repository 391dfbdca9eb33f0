"use client";
import { chipsOf, FilterChips } from "#components/ui/filter-chips.tsx";
import { ListSearch } from "#components/ui/list-search.tsx";
import { useListParams } from "#components/ui/use-list-params.ts";
import { problemNames, serverProblems } from "./check-text.ts";
import { serverParams } from "./server-params.ts";

export function ServerFilters() {
  const list = useListParams(serverParams);
  const { problem } = list.values;
  const problems = serverProblems.map((value) => ({ value, label: problemNames[value] }));
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <ListSearch label="Search servers" list={list} placeholder="Host name or address" />
      <FilterChips
        chips={chipsOf(problems, problem, (problem) => list.hrefWith({ problem }))}
        label="Filter by problem"
      />
    </div>
  );
}
