"use client";
import { useState } from "react";
import { Select } from "./select.tsx";
import { TimeRangeFields } from "./time-range-fields.tsx";
import { type Span, spanNames, spans, type TimeRange } from "./time-span.ts";

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
