"use client";
import type { FormEvent } from "react";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/field.tsx";
import { FilterChips } from "#components/ui/filter-chips.tsx";
import { FilterFold } from "#components/ui/filter-fold.tsx";
import { useListParams } from "#components/ui/use-list-params.ts";
import { ledgerKindNames, ledgerKinds } from "./ledger-kinds.ts";
import { ledgerParams } from "./ledger-params.ts";

/** Kind, period and subject of the entries. `aboutUnknown`: the subject is nothing that entries can be about. */
export function LedgerFilters({ aboutUnknown }: { readonly aboutUnknown: boolean }) {
  const { values, pending, change, hrefWith } = useListParams(ledgerParams);
  const { kind, from, to, about } = values;

  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name)).trim() || null;
    change({ from: text("from"), to: text("to"), about: text("about") });
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
      <FilterFold active={(from ?? to ?? about) !== null}>
        <form
          className="grid grid-cols-2 items-start gap-x-3 gap-y-2.5 md:flex md:flex-wrap"
          key={`${from} ${to} ${about}`}
          onSubmit={apply}
        >
          <TextField
            defaultValue={from ?? ""}
            label="From (UTC)"
            max={to ?? ""}
            name="from"
            required={false}
            type="date"
          />
          <TextField defaultValue={to ?? ""} label="To (UTC)" min={from ?? ""} name="to" required={false} type="date" />
          <div className="max-md:col-span-2 md:w-72">
            <TextField
              defaultValue={about ?? ""}
              error={aboutUnknown ? "Enter a license (lic_12), a bundle (bundle 3) or the id of an operation." : null}
              label="License, bundle or operation"
              name="about"
              placeholder="lic_12"
              required={false}
              spellCheck={false}
            />
          </div>
          <div className="flex gap-2 max-md:col-span-2 md:mt-6.5">
            <Button loading={pending} type="submit">
              Apply
            </Button>
            {(kind ?? from ?? to ?? about) !== null && (
              <Button onClick={() => change({ kind: null, from: null, to: null, about: null })} variant="ghost">
                Clear
              </Button>
            )}
          </div>
        </form>
      </FilterFold>
    </div>
  );
}
