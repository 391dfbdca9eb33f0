"use client";
import { useRouter } from "next/navigation";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { Select } from "#components/ui/select.tsx";
import { TimeFilter } from "#components/ui/time-filter.tsx";
import type { TimeRange } from "#components/ui/time-span.ts";
import { requestSpans, type StatusGroup, statusGroups } from "./request-filter.ts";

/** As in the address; null: not filtered by it. */
export interface RequestFilterValues extends TimeRange {
  readonly status: StatusGroup | null;
  readonly operation: string | null;
}

export interface RequestFiltersProps {
  /** The page of the key. */
  readonly path: string;
  readonly values: RequestFilterValues;
  readonly operations: readonly string[];
}

const selectClassName = "max-md:w-auto! max-md:min-w-36 max-md:flex-1";

/** The address carries all of them. */
export function RequestFilters({ path, values, operations }: RequestFiltersProps) {
  const router = useRouter();

  function hrefWith(change: Partial<RequestFilterValues>): string {
    const given = Object.entries({ ...values, ...change }).filter((entry): entry is [string, string] =>
      Boolean(entry[1]),
    );
    return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
  }
  const go = (change: Partial<RequestFilterValues>) => router.push(hrefWith(change), { scroll: false });

  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5 px-4 pb-3">
      <Select
        aria-label="Operation"
        className={`w-52! ${selectClassName}`}
        onChange={({ target }) => go({ operation: target.value || null })}
        options={operations.map((value) => ({ value, label: value }))}
        placeholder="All operations"
        value={values.operation ?? ""}
      />
      <TimeFilter
        className={`w-40! ${selectClassName}`}
        offered={requestSpans}
        onChoose={go}
        placeholder="Last 14 days"
        value={values}
      />
      <FilterChips
        chips={statusGroups.map(({ value, label }) => ({
          label,
          href: hrefWith({ status: values.status === value ? null : value }),
          active: values.status === value,
        }))}
        clearHref={path}
        label="Filter by status"
      />
    </div>
  );
}
