"use client";
import { AddressSearch } from "#components/ui/address-search.tsx";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { useTypedSearch } from "#components/ui/use-typed-search.ts";
import { problemNames, type ServerProblem, serverProblems } from "./check-text.ts";

export interface ServerFiltersProps {
  readonly q: string;
  readonly problem: ServerProblem | null;
}

const PATH = "/diagnostics";

/** The address carries both. */
export function ServerFilters({ q, problem }: ServerFiltersProps) {
  const typed = useTypedSearch(q);

  function hrefWith(change: Readonly<Record<string, string | null>>): string {
    const given = Object.entries({ q: typed.text, problem, ...change }).filter((entry): entry is [string, string] =>
      Boolean(entry[1]),
    );
    return given.length === 0 ? PATH : `${PATH}?${new URLSearchParams(given)}`;
  }

  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <AddressSearch
        label="Search servers"
        onSearch={(text) => typed.search(text, hrefWith({ q: text }))}
        placeholder="Host name or address"
        q={q}
        typed={typed}
      />
      <FilterChips
        chips={serverProblems.map((value) => ({
          label: problemNames[value],
          href: hrefWith({ problem: problem === value ? null : value }),
          active: problem === value,
        }))}
        clearHref={PATH}
        label="Filter by problem"
      />
    </div>
  );
}
