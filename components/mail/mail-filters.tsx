"use client";
import { chipsOf, FilterChips } from "#components/ui/filter-chips.tsx";
import { ListSearch } from "#components/ui/list-search.tsx";
import { useListParams } from "#components/ui/use-list-params.ts";
import { mailStates } from "./mail.ts";
import { mailParams } from "./mail-params.ts";
import { mailStateName } from "./mail-state.tsx";

export function MailFilters({ hasServer }: { readonly hasServer: boolean }) {
  const list = useListParams(mailParams);
  const { state } = list.values;
  const states = mailStates.map((value) => ({ value, label: mailStateName(value, hasServer) }));
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <ListSearch label="Search messages" list={list} placeholder="Email address" />
      <FilterChips chips={chipsOf(states, state, (state) => list.hrefWith({ state }))} label="Filter by state" />
    </div>
  );
}
