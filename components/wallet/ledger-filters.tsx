"use client";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/field.tsx";
import { chipsOf, FilterChips } from "#components/ui/filter-chips.tsx";
import { FilterFold } from "#components/ui/filter-fold.tsx";
import { useFilterField } from "#components/ui/use-filter-field.ts";
import { useListParams } from "#components/ui/use-list-params.ts";
import { ledgerKindNames, ledgerKinds } from "./ledger-kinds.ts";
import { ledgerParams } from "./ledger-params.ts";

/** Kind, period and subject of the entries. `aboutUnknown`: the subject is nothing that entries can be about. */
export function LedgerFilters({ aboutUnknown }: { readonly aboutUnknown: boolean }) {
  const { values, change, hrefWith } = useListParams(ledgerParams);
  const { kind, from, to, about } = values;
  const fromField = useFilterField(from ?? "", (day) => change({ from: day }));
  const toField = useFilterField(to ?? "", (day) => change({ to: day }));
  const aboutField = useFilterField(about ?? "", (subject) => change({ about: subject }));
  const kinds = ledgerKinds.map((value) => ({ value, label: `${ledgerKindNames[value]}s` }));
  return (
    <div className="flex flex-col gap-3 px-4 pb-3.5">
      <FilterFold
        active={(from ?? to ?? about) !== null}
        className="grid grid-cols-2 items-start gap-x-3 gap-y-2.5 md:flex md:flex-wrap"
      >
        <TextField {...fromField} label="From (UTC)" max={to ?? ""} name="from" required={false} type="date" />
        <TextField {...toField} label="To (UTC)" min={from ?? ""} name="to" required={false} type="date" />
        <div className="max-md:col-span-2 md:w-72">
          <TextField
            {...aboutField}
            error={aboutUnknown ? "Enter a license (lic_12), a bundle (bundle 3) or the ID of an operation." : null}
            label="License, bundle or operation"
            name="about"
            placeholder="lic_12"
            required={false}
            spellCheck={false}
          />
        </div>
        {(kind ?? from ?? to ?? about) !== null && (
          <div className="max-md:col-span-2 md:mt-6.5">
            <Button onClick={() => change({ kind: null, from: null, to: null, about: null })} variant="ghost">
              Clear
            </Button>
          </div>
        )}
      </FilterFold>
      <FilterChips chips={chipsOf(kinds, kind, (kind) => hrefWith({ kind }))} label="Filter by kind" />
    </div>
  );
}
