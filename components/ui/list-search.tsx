"use client";
import { debounce, type Options } from "nuqs";
import { SearchInput } from "./search-input.tsx";
import { Spinner } from "./spinner.tsx";

const SETTLE_MS = 250;

export interface ListSearchProps {
  /** Accessible name, e.g. "Search users". */
  readonly label: string;
  readonly placeholder: string;
  /** From `useListParams`. */
  readonly list: {
    readonly values: { readonly q: string | null };
    readonly pending: boolean;
    readonly change: (change: { q: string | null }, options: Options) => void;
  };
}

/** Searches 250 ms after the last keystroke; immediately on Enter and on clearing. */
export function ListSearch({ label, placeholder, list: { values, pending, change } }: ListSearchProps) {
  return (
    <div className="relative max-md:w-full">
      <SearchInput
        className="w-72 max-md:w-full"
        label={label}
        onChange={(text, { settled }) =>
          change(
            { q: text || null },
            { history: "replace", ...(settled ? {} : { limitUrlUpdates: debounce(SETTLE_MS) }) },
          )
        }
        placeholder={placeholder}
        value={values.q ?? ""}
      />
      {pending && (
        <span className="pointer-events-none absolute inset-y-0 right-9 grid place-items-center text-text-muted">
          <Spinner />
        </span>
      )}
    </div>
  );
}
