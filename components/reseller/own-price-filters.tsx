"use client";
import { AddressSearch } from "#components/ui/address-search.tsx";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { useListAddress } from "#components/ui/use-list-address.ts";

const filterNames = ["q", "own"];

export interface OwnPriceFiltersProps {
  readonly q: string;
  readonly own: boolean;
  readonly ownCount: number;
}

/** The address carries both. */
export function OwnPriceFilters({ q, own, ownCount }: OwnPriceFiltersProps) {
  const address = useListAddress(filterNames, { q, own: own ? "1" : null });
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <AddressSearch address={address} label="Search prices" placeholder="Product or bundle" />
      <FilterChips
        chips={[
          {
            label: "With its own price",
            href: address.hrefWith({ own: own ? null : "1" }),
            active: own,
            count: ownCount,
          },
        ]}
        follow={address.follow}
        label="Filter prices"
      />
    </div>
  );
}
