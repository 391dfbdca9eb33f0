"use client";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useState } from "react";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { type EventKind, eventKinds } from "#lib/domain/events.ts";
import { endpointName } from "./endpoint-name.ts";
import { type FilterOutcome, filterOutcomes } from "./filter-outcome.ts";
import { LogTimeRange } from "./log-time-range.tsx";
import { type Span, spanNames, spans } from "./time-span.ts";

/** As in the address; null: not filtered by it. */
export interface LogFilterValues {
  readonly endpoint: string | null;
  readonly kind: EventKind | null;
  readonly outcome: FilterOutcome | null;
  /** What was typed. */
  readonly license: string | null;
  readonly span: Span | null;
  /** ISO 8601, UTC; only without `span`. */
  readonly from: string | null;
  readonly until: string | null;
}

export interface LogFiltersProps {
  readonly values: LogFilterValues;
  readonly endpoints: readonly { readonly id: string; readonly url: string; readonly description: string }[];
}

const PATH = "/webhooks/log";
const OWN_RANGE = "own";

/** The address carries all of them. */
export function LogFilters({ values, endpoints }: LogFiltersProps) {
  const router = useRouter();
  const ranged = values.from !== null || values.until !== null;
  const [rangeOpen, setRangeOpen] = useState(ranged);

  function hrefWith(change: Partial<LogFilterValues>): string {
    const given = Object.entries({ ...values, ...change }).filter((entry): entry is [string, string] =>
      Boolean(entry[1]),
    );
    return given.length === 0 ? PATH : `${PATH}?${new URLSearchParams(given)}`;
  }
  const go = (change: Partial<LogFilterValues>) => router.push(hrefWith(change), { scroll: false });

  function chooseTime(value: string) {
    setRangeOpen(value === OWN_RANGE);
    if (value !== OWN_RANGE) go({ span: spans.find((span) => span === value) ?? null, from: null, until: null });
  }

  return (
    <div className="mb-3 grid grid-cols-2 items-center gap-x-3 gap-y-2.5 md:flex md:flex-wrap">
      {endpoints.length > 1 && (
        <Select
          aria-label="Endpoint"
          className="md:w-56!"
          onChange={({ target }) => go({ endpoint: target.value || null })}
          options={endpoints.map((endpoint) => ({ value: endpoint.id, label: endpointName(endpoint) }))}
          placeholder="All endpoints"
          value={values.endpoint ?? ""}
        />
      )}
      <Select
        aria-label="Kind of event"
        className="md:w-52!"
        onChange={({ target }) => go({ kind: eventKinds.find((kind) => kind === target.value) ?? null })}
        options={eventKinds.map((kind) => ({ value: kind, label: kind }))}
        placeholder="All kinds"
        value={values.kind ?? ""}
      />
      <Select
        aria-label="Time"
        className="md:w-40!"
        onChange={({ target }) => chooseTime(target.value)}
        options={[
          ...spans.map((value) => ({ value, label: spanNames[value] })),
          { value: OWN_RANGE, label: "From … to …" },
        ]}
        placeholder="Any time"
        value={rangeOpen ? OWN_RANGE : (values.span ?? "")}
      />
      <LicenseInput key={values.license} onChoose={(license) => go({ license })} value={values.license ?? ""} />
      {rangeOpen && (
        <div className="max-md:col-span-2">
          <LogTimeRange from={values.from} onChoose={(range) => go({ ...range, span: null })} until={values.until} />
        </div>
      )}
      <div className="max-md:col-span-2">
        <FilterChips
          chips={filterOutcomes.map(({ value, label }) => ({
            label,
            href: hrefWith({ outcome: values.outcome === value ? null : value }),
            active: values.outcome === value,
          }))}
          clearHref={PATH}
          label="Filter by outcome"
        />
      </div>
    </div>
  );
}

interface LicenseInputProps {
  readonly value: string;
  readonly onChoose: (license: string | null) => void;
}

/** Takes effect on Enter and when it is left. */
function LicenseInput({ value, onChoose }: LicenseInputProps) {
  function choose(text: string) {
    if (text.trim() !== value) onChoose(text.trim() || null);
  }
  return (
    <Input
      aria-label="License ID"
      autoComplete="off"
      className="md:w-28!"
      defaultValue={value}
      onBlur={({ target }) => choose(target.value)}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === "Enter") choose(event.currentTarget.value);
      }}
      placeholder="License ID"
      spellCheck={false}
    />
  );
}
