"use client";
import { useId } from "react";
import { Input } from "./input.tsx";
import { fromLocalInput, toLocalInput } from "./time-span.ts";
import { useTimeZone } from "./time-zone.tsx";
import { useFilterField } from "./use-filter-field.ts";

export interface TimeRangeFieldsProps {
  /** ISO 8601, UTC. */
  readonly from: string | null;
  readonly until: string | null;
  readonly onChoose: (range: { readonly from: string | null; readonly until: string | null }) => void;
}

/** In the reader's zone. Takes effect on Enter and when a field is left. */
export function TimeRangeFields({ from, until, onChoose }: TimeRangeFieldsProps) {
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
