"use client";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { type FormEvent, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { Input } from "#components/ui/input.tsx";
import { type LedgerKind, ledgerKindNames, ledgerKinds } from "./ledger-kinds.ts";

export interface LedgerFiltersProps {
  readonly kind: LedgerKind | null;
  /** Days in UTC, or empty. */
  readonly from: string;
  readonly to: string;
  /** A license, bundle or operation, or empty. */
  readonly about: string;
  /** `about` names nothing of the kind. */
  readonly aboutUnknown: boolean;
}

const OWN = ["kind", "from", "to", "about"];

/** Kind, period and subject of the entries; the address carries all of them, and what else it says stays. */
export function LedgerFilters({ kind, from, to, about, aboutUnknown }: LedgerFiltersProps) {
  const router = useRouter();
  const pathname = usePathname();
  const current = useSearchParams();
  const [pending, startTransition] = useTransition();

  function hrefWith(change: Readonly<Record<string, string | null>>): string {
    const query = new URLSearchParams(current);
    for (const name of ["before", "after"]) query.delete(name);
    for (const [name, value] of Object.entries(change)) {
      if (value) query.set(name, value);
      else query.delete(name);
    }
    return query.size === 0 ? pathname : `${pathname}?${query}`;
  }

  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name)).trim();
    startTransition(() =>
      router.push(hrefWith({ from: text("from"), to: text("to"), about: text("about") }), { scroll: false }),
    );
  }

  return (
    <div className="flex flex-col gap-3 px-4 pb-3.5">
      <FilterChips
        chips={ledgerKinds.map((value) => ({
          label: `${ledgerKindNames[value]}s`,
          href: hrefWith({ kind: value === kind ? null : value }),
          active: value === kind,
        }))}
        label="Filter by kind"
      />
      <form
        className="grid grid-cols-2 items-start gap-x-3 gap-y-2.5 md:flex md:flex-wrap"
        key={`${from} ${to} ${about}`}
        onSubmit={apply}
      >
        <Field label="From (UTC)" name="from">
          {({ required: _, ...control }) => <Input {...control} defaultValue={from} max={to} type="date" />}
        </Field>
        <Field label="To (UTC)" name="to">
          {({ required: _, ...control }) => <Input {...control} defaultValue={to} min={from} type="date" />}
        </Field>
        <div className="max-md:col-span-2 md:w-72">
          <Field
            error={aboutUnknown ? "Enter a license (lic_12), a bundle (bundle 3) or the id of an operation." : null}
            label="License, bundle or operation"
            name="about"
          >
            {({ required: _, ...control }) => (
              <Input {...control} autoComplete="off" defaultValue={about} placeholder="lic_12" spellCheck={false} />
            )}
          </Field>
        </div>
        <div className="flex gap-2 max-md:col-span-2 md:mt-6.5">
          <Button loading={pending} type="submit">
            Apply
          </Button>
          {OWN.some((name) => current.has(name)) && (
            <Button
              onClick={() =>
                router.push(hrefWith(Object.fromEntries(OWN.map((name) => [name, null]))), { scroll: false })
              }
              variant="ghost"
            >
              Clear
            </Button>
          )}
        </div>
      </form>
    </div>
  );
}
