"use client";
import { ResellerChoice, type ResellerFilter } from "#components/reseller/reseller-choice.tsx";
import { chipsOf, FilterChips } from "#components/ui/filter-chips.tsx";
import { Select } from "#components/ui/select.tsx";
import { useListParams } from "#components/ui/use-list-params.ts";
import { type CaseKind, caseKindNames, caseKinds } from "#lib/domain/reconciliation.ts";
import { caseParams } from "./case-params.ts";

export interface CaseFiltersProps {
  /** Open cases of each kind. */
  readonly counts: Readonly<Record<CaseKind, number>>;
  readonly providers: readonly string[];
  readonly resellers: ResellerFilter;
}

export function CaseFilters({ counts, providers, resellers }: CaseFiltersProps) {
  const { values, change, hrefWith } = useListParams(caseParams);
  const { kind, provider, state } = values;
  const kinds = caseKinds
    .filter((value) => counts[value] > 0 || kind === value || state !== null)
    .map((value) => ({ value, label: caseKindNames[value], ...(state === null ? { count: counts[value] } : {}) }));
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <Select
        aria-label="Status"
        className="w-32! max-md:w-auto! max-md:flex-1"
        onChange={({ target }) => change({ state: target.value === "resolved" ? "resolved" : null })}
        options={[{ value: "resolved", label: "Closed" }]}
        placeholder="Open"
        value={state ?? ""}
      />
      <ResellerChoice {...resellers} onChoose={(id) => change({ reseller: id })} />
      {providers.length > 1 && (
        <Select
          aria-label="Provider"
          className="w-40! max-md:w-auto! max-md:flex-1"
          onChange={({ target }) => change({ provider: target.value || null })}
          options={providers.map((name) => ({ value: name, label: name }))}
          placeholder="All providers"
          value={provider ?? ""}
        />
      )}
      <FilterChips chips={chipsOf(kinds, kind, (kind) => hrefWith({ kind }))} label="Filter by kind" />
    </div>
  );
}
