"use client";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/field.tsx";
import { chipsOf, FilterChips } from "#components/ui/filter-chips.tsx";
import { FilterFold } from "#components/ui/filter-fold.tsx";
import { fromLocalDay, toLocalDay } from "#components/ui/time-span.ts";
import { useTimeZone } from "#components/ui/time-zone.tsx";
import { useFilterField } from "#components/ui/use-filter-field.ts";
import { useListParams } from "#components/ui/use-list-params.ts";
import { ledgerKindNames, ledgerKinds } from "./ledger-kinds.ts";
import { ledgerParams } from "./ledger-params.ts";

/** Kind, period (days in the reader's zone, as the entries show) and subject of the entries. `aboutUnknown`: the subject is nothing that entries can be about. */
export function LedgerFilters({ aboutUnknown }: { readonly aboutUnknown: boolean }) {
  const { values, change, hrefWith } = useListParams(ledgerParams);
  const { kind, from, until, about } = values;
  const zone = useTimeZone();
  const [firstDay, lastDay] = [toLocalDay(from, zone), toLocalDay(until, zone, true)];
  const fromField = useFilterField(firstDay, (day) => change({ from: day && fromLocalDay(day, zone) }));
  const toField = useFilterField(lastDay, (day) => change({ until: day && fromLocalDay(day, zone, 1) }));
  const aboutField = useFilterField(about ?? "", (subject) => change({ about: subject }));
  const kinds = ledgerKinds.map((value) => ({ value, label: `${ledgerKindNames[value]}s` }));
  return (
    <div className="flex flex-col gap-3 px-4 pb-3.5">
      <FilterFold
        active={(from ?? until ?? about) !== null}
        className="grid grid-cols-2 items-start gap-x-3 gap-y-2.5 md:flex md:flex-wrap"
      >
        <TextField {...fromField} label="From" max={lastDay} name="from" required={false} type="date" />
        <TextField {...toField} label="To" min={firstDay} name="to" required={false} type="date" />
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
        {(kind ?? from ?? until ?? about) !== null && (
          <div className="max-md:col-span-2 md:mt-6.5">
            <Button onClick={() => change({ kind: null, from: null, until: null, about: null })} variant="ghost">
              Clear
            </Button>
          </div>
        )}
      </FilterFold>
      <FilterChips chips={chipsOf(kinds, kind, (kind) => hrefWith({ kind }))} label="Filter by kind" />
    </div>
  );
}
