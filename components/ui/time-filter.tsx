"use client";
import { useId, useState } from "react";
import { Input } from "./input.tsx";
import { Select } from "./select.tsx";
import { fromLocalInput, type Span, spanNames, spans, type TimeRange, toLocalInput } from "./time-span.ts";
import { useTimeZone } from "./time-zone.tsx";
import { useFilterField } from "./use-filter-field.ts";

export interface TimeFilterProps {
  readonly value: TimeRange;
  readonly onChoose: (value: TimeRange) => void;
  /** What is shown without a filter. */
  readonly placeholder?: string;
  readonly offered?: readonly Span[];
  readonly className?: string;
}

const OWN_RANGE = "own";

/** A time span that ends now, or a range with its own start and end. */
export function TimeFilter({ value, onChoose, placeholder = "Any time", offered = spans, className }: TimeFilterProps) {
  const [opened, setOpened] = useState(false);
  const { span, from, until } = value;
  const ranged = opened || (span === null && (from !== null || until !== null));

  function choose(chosen: string) {
    setOpened(chosen === OWN_RANGE);
    if (chosen === OWN_RANGE) return;
    onChoose({ span: offered.find((known) => known === chosen) ?? null, from: null, until: null });
  }

  return (
    <>
      <Select
        aria-label="Time"
        className={className}
        onChange={({ target }) => choose(target.value)}
        options={[
          ...offered.map((known) => ({ value: known, label: spanNames[known] })),
          { value: OWN_RANGE, label: "Custom range" },
        ]}
        placeholder={placeholder}
        value={ranged ? OWN_RANGE : (span ?? "")}
      />
      {ranged && (
        <TimeRangeFields
          from={from}
          onChoose={(range) => {
            setOpened(false);
            onChoose({ ...range, span: null });
          }}
          until={until}
        />
      )}
    </>
  );
}

interface TimeRangeFieldsProps {
  /** ISO 8601, UTC. */
  readonly from: string | null;
  readonly until: string | null;
  readonly onChoose: (range: { readonly from: string | null; readonly until: string | null }) => void;
}

/** In the reader's zone. Takes effect on Enter and when a field is left. */
function TimeRangeFields({ from, until, onChoose }: TimeRangeFieldsProps) {
  return (
    <div className="flex gap-x-3 gap-y-2.5 text-sm max-md:col-span-2 max-md:w-full max-md:flex-col md:flex-wrap md:items-center">
      <TimeField label="From" onChoose={(time) => onChoose({ from: time, until })} time={from} />
      <TimeField label="To" onChoose={(time) => onChoose({ from, until: time })} time={until} />
    </div>
  );
}

interface TimeFieldProps {
  readonly label: string;
  /** ISO 8601, UTC. */
  readonly time: string | null;
  readonly onChoose: (time: string | null) => void;
}

function TimeField({ label, time, onChoose }: TimeFieldProps) {
  const id = useId();
  const zone = useTimeZone();
  const field = useFilterField(time === null ? "" : toLocalInput(time, zone), (text) =>
    onChoose(text === null ? null : fromLocalInput(text, zone)),
  );
  return (
    <div className="flex items-center gap-x-2">
      <label className="text-text-muted max-md:w-10" htmlFor={id}>
        {label}
      </label>
      <Input {...field} className="md:w-auto!" id={id} type="datetime-local" />
    </div>
  );
}
