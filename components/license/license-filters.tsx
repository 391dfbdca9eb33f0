"use client";
import { usePathname } from "next/navigation";
import { AddressSearch } from "#components/ui/address-search.tsx";
import { type FilterChip, FilterChips } from "#components/ui/filter-chips.tsx";
import { Select } from "#components/ui/select.tsx";
import { useListAddress } from "#components/ui/use-list-address.ts";
import { licenseStatuses } from "#lib/domain/license-status.ts";
import { type LicenseFilterValues, renewalNames, statusNames } from "./license-filter.ts";
import { MoreFilters } from "./more-filters.tsx";

export interface LicenseFiltersProps {
  readonly values: LicenseFilterValues;
  readonly products: readonly { readonly type: string; readonly name: string }[];
  readonly bundles: readonly { readonly bundleId: number; readonly name: string }[];
}

/** What is changed of the list's address; null takes it out. */
export type FilterChange = Partial<Record<keyof LicenseFilterValues, string | null>>;

/** Search, product, status, end and more; the address carries all of them. */
export function LicenseFilters({ values, products, bundles }: LicenseFiltersProps) {
  const pathname = usePathname();
  const address = useListAddress(filterNames, { ...values });
  const { hrefWith } = address;
  const filtered = Object.entries(values).some(([name, value]) => name !== "sort" && value !== null);
  return (
    <div className="mb-3 flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-2.5">
        <AddressSearch address={address} label="Search licenses" placeholder="Key, host, address or note" />
        <Select
          aria-label="Product"
          className="w-52! max-md:w-auto! max-md:flex-1"
          onChange={({ target }) => address.change({ product: target.value })}
          options={products.map(({ type, name }) => ({ value: type, label: name }))}
          placeholder="All products"
          value={values.product ?? ""}
        />
        <MoreFilters bundles={bundles} onApply={address.change} values={values} />
      </div>
      <FilterChips
        chips={[
          ...licenseStatuses.map((status) => ({
            label: statusNames[status],
            href: hrefWith({ status: values.status === status ? null : status }),
            active: values.status === status,
          })),
          ...expiryDays.map((days) => ({
            label: `Ends in ${days} days`,
            href: hrefWith({ expires: values.expires === days ? null : String(days) }),
            active: values.expires === days,
          })),
          ...furtherChips(values, bundles, hrefWith),
        ]}
        clearable={filtered}
        clearHref={pathname}
        follow={address.follow}
        label="Filter by status"
      />
    </div>
  );
}

const expiryDays = [7, 30];
const filterNames: readonly (keyof LicenseFilterValues)[] = [
  "q",
  "status",
  "product",
  "expires",
  "address",
  "bundle",
  "instance",
  "renewal",
  "sort",
];

/** The filters that have no chip of their own while they are off. */
function furtherChips(
  { address, bundle, instance, renewal }: LicenseFilterValues,
  bundles: LicenseFiltersProps["bundles"],
  hrefWith: (change: FilterChange) => string,
): readonly FilterChip[] {
  const bundleName = bundles.find(({ bundleId }) => bundleId === bundle)?.name ?? "Another bundle";
  const chips = [
    address !== null && { label: `On ${address}`, href: hrefWith({ address: null }) },
    bundle !== null && { label: bundleName, href: hrefWith({ bundle: null }) },
    instance !== null && { label: `Bundle ${instance}`, href: hrefWith({ instance: null }) },
    renewal !== null && { label: renewalNames[renewal], href: hrefWith({ renewal: null }) },
  ];
  return chips.filter((chip) => chip !== false).map((chip) => ({ ...chip, active: true }));
}
