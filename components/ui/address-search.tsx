"use client";
import { SearchInput } from "./search-input.tsx";
import { Spinner } from "./spinner.tsx";
import type { ListAddress } from "./use-list-address.ts";

export interface AddressSearchProps {
  readonly label: string;
  readonly placeholder: string;
  readonly address: ListAddress;
}

/** A list's search, whose text is in the address. */
export function AddressSearch({ label, placeholder, address }: AddressSearchProps) {
  return (
    <div className="relative max-md:w-full">
      <SearchInput
        className="w-72 max-md:w-full"
        defaultValue={address.text}
        key={address.version}
        label={label}
        onSearch={address.search}
        placeholder={placeholder}
      />
      {address.pending && (
        <span className="pointer-events-none absolute inset-y-0 right-9 grid place-items-center text-text-muted">
          <Spinner />
        </span>
      )}
    </div>
  );
}
