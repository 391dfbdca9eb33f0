"use client";
import { usePathname } from "next/navigation";
import { ResellerChoice, type ResellerFilter } from "#components/reseller/reseller-choice.tsx";
import { chipsOf, type FilterChip, FilterChips } from "#components/ui/filter-chips.tsx";
import { ListSearch } from "#components/ui/list-search.tsx";
import { Select } from "#components/ui/select.tsx";
import { useListParams } from "#components/ui/use-list-params.ts";
import { licenseStatuses } from "#lib/domain/license-status.ts";
import { expiryDays, renewalNames, statusNames } from "./license-filter.ts";
import { type LicenseView, licenseParams } from "./license-params.ts";
import { MoreFilters } from "./more-filters.tsx";

export interface LicenseFiltersProps {
  readonly products: readonly { readonly type: string; readonly name: string }[];
  readonly bundles: readonly { readonly bundleId: number; readonly name: string }[];
  /** For the list of all resellers' licenses. */
  readonly resellers: ResellerFilter | null;
}

/** Search, product, status, end and more. */
export function LicenseFilters({ products, bundles, resellers }: LicenseFiltersProps) {
  const pathname = usePathname();
  const list = useListParams(licenseParams);
  const { values, hrefWith } = list;
  const statuses = licenseStatuses.map((value) => ({ value, label: statusNames[value] }));
  const ends = expiryDays.map((value) => ({ value, label: `Ends in ${value} days` }));
  return (
    <div className="mb-3 flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-2.5">
        <ListSearch label="Search licenses" list={list} placeholder="ID, key, host, customer, tag or note" />
        <Select
          aria-label="Product"
          className="w-52! max-md:w-auto! max-md:flex-1"
          onChange={({ target }) => list.change({ product: target.value || null })}
          options={products.map(({ type, name }) => ({ value: type, label: name }))}
          placeholder="All products"
          value={values.product ?? ""}
        />
        {resellers && <ResellerChoice {...resellers} onChoose={(id) => list.change({ reseller: id })} />}
        <MoreFilters bundles={bundles} onApply={list.change} values={values} />
      </div>
      <FilterChips
        chips={[
          ...chipsOf(statuses, values.status, (status) => hrefWith({ status })),
          ...chipsOf(ends, values.expires, (expires) => hrefWith({ expires })),
          ...furtherChips(values, bundles, hrefWith),
        ]}
        clearHref={pathname}
        label="Filter by status"
      />
    </div>
  );
}

/** The filters that have no chip of their own while they are off. */
function furtherChips(
  { address, bundle, instance, renewal, customer, tag }: LicenseView,
  bundles: LicenseFiltersProps["bundles"],
  hrefWith: (change: Partial<LicenseView>) => string,
): readonly FilterChip[] {
  const bundleName = bundles.find(({ bundleId }) => bundleId === bundle)?.name ?? "Another bundle";
  const chips = [
    address !== null && { label: `On ${address}`, href: hrefWith({ address: null }) },
    bundle !== null && { label: bundleName, href: hrefWith({ bundle: null }) },
    instance !== null && { label: `Bundle ${instance}`, href: hrefWith({ instance: null }) },
    renewal !== null && { label: renewalNames[renewal], href: hrefWith({ renewal: null }) },
    customer !== null && { label: `Customer ${customer}`, href: hrefWith({ customer: null }) },
    tag !== null && { label: `Tag ${tag}`, href: hrefWith({ tag: null }) },
  ];
  return chips.filter((chip) => chip !== false).map((chip) => ({ ...chip, active: true }));
}
