"use client";
import { AddressSearch } from "#components/ui/address-search.tsx";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { useListAddress } from "#components/ui/use-list-address.ts";
import { problemNames, type ServerProblem, serverProblems } from "./check-text.ts";

export interface ServerFiltersProps {
  readonly q: string;
  readonly problem: ServerProblem | null;
}

const PATH = "/diagnostics";
const filterNames = ["q", "problem"];

/** The address carries both. */
export function ServerFilters({ q, problem }: ServerFiltersProps) {
  const address = useListAddress(filterNames, { q, problem });
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <AddressSearch address={address} label="Search servers" placeholder="Host name or address" />
      <FilterChips
        chips={serverProblems.map((value) => ({
          label: problemNames[value],
          href: address.hrefWith({ problem: problem === value ? null : value }),
          active: problem === value,
        }))}
        clearHref={PATH}
        follow={address.follow}
        label="Filter by problem"
      />
    </div>
  );
}
