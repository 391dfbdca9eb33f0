"use client";
import { useRouter } from "next/navigation";
import {
  type ChosenReseller,
  ResellerChoice,
  type ResellerChoiceProps,
} from "#components/reseller/reseller-choice.tsx";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { Select } from "#components/ui/select.tsx";
import { type CaseKind, caseKinds } from "#lib/domain/reconciliation.ts";
import { kindNames } from "./case-text.ts";

export interface CaseFiltersProps {
  readonly kind: CaseKind | null;
  readonly provider: string | null;
  readonly reseller: ChosenReseller | null;
  readonly resolved: boolean;
  /** Open cases of each kind. */
  readonly counts: Readonly<Record<CaseKind, number>>;
  readonly providers: readonly string[];
  readonly searchResellers: ResellerChoiceProps["search"];
}

const PATH = "/reconciliation";

/** The address carries all of them. */
export function CaseFilters(props: CaseFiltersProps) {
  const { kind, provider, reseller, resolved, counts, providers, searchResellers } = props;
  const router = useRouter();

  function hrefWith(change: Readonly<Record<string, string | null>>): string {
    const all = {
      kind,
      provider,
      reseller: reseller && String(reseller.id),
      state: resolved ? "resolved" : null,
      ...change,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1]));
    return given.length === 0 ? PATH : `${PATH}?${new URLSearchParams(given)}`;
  }
  const go = (change: Readonly<Record<string, string | null>>) => router.push(hrefWith(change), { scroll: false });

  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <Select
        aria-label="Status"
        className="w-32! max-md:w-auto! max-md:flex-1"
        onChange={({ target }) => go({ state: target.value })}
        options={[{ value: "resolved", label: "Closed" }]}
        placeholder="Open"
        value={resolved ? "resolved" : ""}
      />
      <ResellerChoice
        chosen={reseller}
        onChoose={(id) => go({ reseller: id === null ? null : String(id) })}
        search={searchResellers}
      />
      {providers.length > 1 && (
        <Select
          aria-label="Provider"
          className="w-40! max-md:w-auto! max-md:flex-1"
          onChange={({ target }) => go({ provider: target.value })}
          options={providers.map((name) => ({ value: name, label: name }))}
          placeholder="All providers"
          value={provider ?? ""}
        />
      )}
      <FilterChips
        chips={caseKinds.map((value) => ({
          label: kindNames[value],
          href: hrefWith({ kind: kind === value ? null : value }),
          active: kind === value,
          ...(resolved ? {} : { count: counts[value] }),
        }))}
        label="Filter by kind"
        {...(kind || provider || reseller || resolved ? { clearHref: PATH } : {})}
      />
    </div>
  );
}
