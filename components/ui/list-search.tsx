"use client";
import { AddressSearch } from "./address-search.tsx";
import { useListAddress } from "./use-list-address.ts";

export interface ListSearchProps {
  /** Accessible name, e.g. "Search users". */
  readonly label: string;
  readonly placeholder: string;
  /** What the address says. */
  readonly q: string;
}

const filterNames = ["q"];

/** For lists that are only searched, and have no filters beside. */
export function ListSearch({ label, placeholder, q }: ListSearchProps) {
  const address = useListAddress(filterNames, { q });
  return (
    <div className="mb-3">
      <AddressSearch address={address} label={label} placeholder={placeholder} />
    </div>
  );
}
