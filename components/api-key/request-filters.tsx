"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { Select } from "#components/ui/select.tsx";
import { LogTimeRange } from "#components/webhook/log-time-range.tsx";
import { type RequestSpan, requestSpans, type StatusGroup, spanNames, statusGroups } from "./request-filter.ts";

/** As in the address; null: not filtered by it. */
export interface RequestFilterValues {
  readonly status: StatusGroup | null;
  readonly operation: string | null;
  readonly span: RequestSpan | null;
  /** ISO 8601, UTC; only without `span`. */
  readonly from: string | null;
  readonly until: string | null;
}

export interface RequestFiltersProps {
  /** The page of the key. */
  readonly path: string;
  readonly values: RequestFilterValues;
  readonly operations: readonly string[];
}

const OWN_RANGE = "own";
const selectClassName = "max-md:w-auto! max-md:min-w-36 max-md:flex-1";

/** The address carries all of them. */
export function RequestFilters({ path, values, operations }: RequestFiltersProps) {
  const router = useRouter();
  const [rangeOpen, setRangeOpen] = useState(values.from !== null || values.until !== null);

  function hrefWith(change: Partial<RequestFilterValues>): string {
    const given = Object.entries({ ...values, ...change }).filter((entry): entry is [string, string] =>
      Boolean(entry[1]),
    );
    return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
  }
  const go = (change: Partial<RequestFilterValues>) => router.push(hrefWith(change), { scroll: false });

  function chooseTime(value: string) {
    setRangeOpen(value === OWN_RANGE);
    if (value !== OWN_RANGE) go({ span: requestSpans.find((span) => span === value) ?? null, from: null, until: null });
  }

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
      <Select
        aria-label="Time"
        className={`w-40! ${selectClassName}`}
        onChange={({ target }) => chooseTime(target.value)}
        options={[
          ...requestSpans.map((value) => ({ value, label: spanNames[value] })),
          { value: OWN_RANGE, label: "From … to …" },
        ]}
        placeholder="Last 14 days"
        value={rangeOpen ? OWN_RANGE : (values.span ?? "")}
      />
      {rangeOpen && (
        <LogTimeRange from={values.from} onChoose={(range) => go({ ...range, span: null })} until={values.until} />
      )}
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
