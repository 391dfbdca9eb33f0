"use client";
import { SearchInput } from "./search-input.tsx";
import { Spinner } from "./spinner.tsx";
import type { TypedSearch } from "./use-typed-search.ts";

export interface AddressSearchProps {
  readonly label: string;
  readonly placeholder: string;
  /** What the address says. */
  readonly q: string;
  readonly typed: TypedSearch;
  readonly onSearch: (text: string) => void;
}

/** A list's search, whose text is in the address. */
export function AddressSearch({ label, placeholder, q, typed, onSearch }: AddressSearchProps) {
  return (
    <div className="relative max-md:w-full">
      <SearchInput
        className="w-72 max-md:w-full"
        defaultValue={q}
        key={typed.version}
        label={label}
        onSearch={onSearch}
        placeholder={placeholder}
      />
      {typed.pending && (
        <span className="pointer-events-none absolute inset-y-0 right-9 grid place-items-center text-text-muted">
          <Spinner />
        </span>
      )}
    </div>
  );
}
