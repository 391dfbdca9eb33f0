"use client";
import { type KeyboardEvent, useSyncExternalStore } from "react";
import { Input } from "#components/ui/input.tsx";
import { fromLocalInput, toLocalInput } from "./time-span.ts";

export interface LogTimeRangeProps {
  /** ISO 8601, UTC. */
  readonly from: string | null;
  readonly until: string | null;
  readonly onChoose: (range: { readonly from: string | null; readonly until: string | null }) => void;
}

const subscribeToNothing = () => () => {};

/** In the reader's zone, which the server does not know. Takes effect on Enter and when a field is left. */
export function LogTimeRange({ from, until, onChoose }: LogTimeRangeProps) {
  const inBrowser = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  if (!inBrowser) return <span className="h-8 w-96 max-w-full" />;
  const shown = (iso: string | null) => (iso === null ? "" : toLocalInput(iso));
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm text-text-muted">
      <Input
        aria-label="From"
        className="w-auto!"
        defaultValue={shown(from)}
        key={`from ${from}`}
        onBlur={({ target }) => {
          if (target.value !== shown(from)) onChoose({ from: fromLocalInput(target.value), until });
        }}
        onKeyDown={leaveOnEnter}
        type="datetime-local"
      />
      until
      <Input
        aria-label="Until"
        className="w-auto!"
        defaultValue={shown(until)}
        key={`until ${until}`}
        onBlur={({ target }) => {
          if (target.value !== shown(until)) onChoose({ from, until: fromLocalInput(target.value) });
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
