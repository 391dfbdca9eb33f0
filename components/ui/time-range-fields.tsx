"use client";
import { type KeyboardEvent, useId, useSyncExternalStore } from "react";
import { Input } from "./input.tsx";
import { fromLocalInput, toLocalInput } from "./time-span.ts";

export interface TimeRangeFieldsProps {
  /** ISO 8601, UTC. */
  readonly from: string | null;
  readonly until: string | null;
  readonly onChoose: (range: { readonly from: string | null; readonly until: string | null }) => void;
}

const subscribeToNothing = () => () => {};

/** In the reader's zone, which the server does not know. Takes effect on Enter and when a field is left. */
export function TimeRangeFields({ from, until, onChoose }: TimeRangeFieldsProps) {
  const inBrowser = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  if (!inBrowser) return <span className="h-8 w-96 max-w-full" />;
  return (
    <div className="flex gap-x-3 gap-y-2.5 text-sm max-md:col-span-2 max-md:w-full max-md:flex-col md:flex-wrap md:items-center">
      <TimeField key={`from ${from}`} label="From" onChoose={(time) => onChoose({ from: time, until })} time={from} />
      <TimeField key={`to ${until}`} label="To" onChoose={(time) => onChoose({ from, until: time })} time={until} />
      <p className="text-text-muted">In your time zone</p>
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
  const shown = time === null ? "" : toLocalInput(time);
  return (
    <div className="flex gap-x-2 gap-y-1.5 max-md:flex-col md:items-center">
      <label className="font-medium" htmlFor={id}>
        {label}
      </label>
      <Input
        className="md:w-auto!"
        defaultValue={shown}
        id={id}
        onBlur={({ target }) => {
          if (target.value !== shown) onChoose(fromLocalInput(target.value));
        }}
        onKeyDown={leaveOnEnter}
        type="datetime-local"
      />
    </div>
  );
}

function leaveOnEnter({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) {
  if (key === "Enter") currentTarget.blur();
}
