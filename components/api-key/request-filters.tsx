"use client";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { FilterInput } from "#components/ui/filter-input.tsx";
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

const selectClassName = "max-md:w-auto! max-md:min-w-36 max-md:flex-1";

export function RequestFilters({ operations, keys }: RequestFiltersProps) {
  const { values, change, hrefWith } = useListParams(requestParams);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5 px-4 pb-3">
      <FilterInput
        className={`w-44! ${selectClassName}`}
        label="Request ID"
        onChoose={(request) => change({ request })}
        value={values.request ?? ""}
      />
      {keys.length > 1 && (
        <Select
          aria-label="Key"
          className={`w-44! ${selectClassName}`}
          onChange={({ target }) => change({ key: Number(target.value) || null })}
          options={keys.map(({ apiKeyId, name }) => ({ value: String(apiKeyId), label: name }))}
          placeholder="All keys"
          value={values.key === null ? "" : String(values.key)}
        />
      )}
      <Select
        aria-label="Operation"
        className={`w-52! ${selectClassName}`}
        onChange={({ target }) => change({ operation: target.value || null })}
        options={operations.map((value) => ({ value, label: value }))}
        placeholder="All operations"
        value={values.operation ?? ""}
      />
      <TimeFilter
        className={`w-40! ${selectClassName}`}
        offered={requestSpans}
        onChoose={({ span, ...range }) =>
          change({ ...range, span: requestSpans.find((known) => known === span) ?? null })
        }
        placeholder="Last 14 days"
        value={values}
      />
      <FilterChips
        chips={statusGroups.map(({ value, label }) => ({
          label,
          href: hrefWith({ status: values.status === value ? null : value }),
          active: values.status === value,
        }))}
        label="Filter by status"
      />
    </div>
  );
}
