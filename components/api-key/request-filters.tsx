"use client";
import { chipsOf, FilterChips } from "#components/ui/filter-chips.tsx";
import { FilterFold } from "#components/ui/filter-fold.tsx";
import { FilterInput } from "#components/ui/filter-input.tsx";
import { isFiltered } from "#components/ui/list-params.ts";
import { Select } from "#components/ui/select.tsx";
import { TimeFilter } from "#components/ui/time-filter.tsx";
import { useListParams } from "#components/ui/use-list-params.ts";
import { requestParams } from "./key-params.ts";
import { requestSpans, statusGroups } from "./request-filter.ts";

export interface RequestFiltersProps {
  readonly operations: readonly string[];
  /** To choose from; empty where the page is of one key. */
  readonly keys: readonly { readonly apiKeyId: number; readonly name: string }[];
}

export function RequestFilters({ operations, keys }: RequestFiltersProps) {
  const { values, change, hrefWith } = useListParams(requestParams);
  return (
    <div className="flex gap-x-3 gap-y-2.5 border-b px-4 pb-3 max-md:flex-col md:flex-wrap md:items-center">
      <FilterFold
        active={isFiltered({ ...values, status: null })}
        className="grid grid-cols-2 items-center gap-x-3 gap-y-2.5 max-md:*:last:odd:col-span-2 md:contents"
      >
        <FilterInput
          className="md:w-44!"
          label="Request ID"
          onChoose={(request) => change({ request })}
          value={values.request ?? ""}
        />
        {keys.length > 1 && (
          <Select
            aria-label="Key"
            className="md:w-44!"
            onChange={({ target }) => change({ key: Number(target.value) || null })}
            options={keys.map(({ apiKeyId, name }) => ({ value: String(apiKeyId), label: name }))}
            placeholder="All keys"
            value={values.key === null ? "" : String(values.key)}
          />
        )}
        <Select
          aria-label="Operation"
          className="md:w-52!"
          onChange={({ target }) => change({ operation: target.value || null })}
          options={operations.map((value) => ({ value, label: value }))}
          placeholder="All operations"
          value={values.operation ?? ""}
        />
        <TimeFilter
          className="md:w-40!"
          offered={requestSpans}
          onChoose={({ span, ...range }) =>
            change({ ...range, span: requestSpans.find((known) => known === span) ?? null })
          }
          placeholder="Last 14 days"
          value={values}
        />
      </FilterFold>
      <FilterChips
        chips={chipsOf(statusGroups, values.status, (status) => hrefWith({ status }))}
        label="Filter by status"
      />
    </div>
  );
}
