"use client";
import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import {
  type ChosenReseller,
  ResellerChoice,
  type ResellerChoiceProps,
} from "#components/reseller/reseller-choice.tsx";
import { Button } from "#components/ui/button.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { TimeFilter } from "#components/ui/time-filter.tsx";
import type { TimeRange } from "#components/ui/time-span.ts";

/** As in the address; null: not filtered by it. */
export interface AuditFilterValues extends TimeRange {
  readonly actor: string | null;
  readonly action: string | null;
  /** An id. */
  readonly reseller: string | null;
  readonly subject: string | null;
}

export interface AuditFiltersProps {
  readonly values: AuditFilterValues;
  readonly actions: readonly { readonly value: string; readonly label: string }[];
  /** With the name that `values` lacks. */
  readonly reseller: ChosenReseller | null;
  readonly searchResellers: ResellerChoiceProps["search"];
}

const PATH = "/audit";
/** They share what the choices leave, so that nothing moves to another line when it can be cleared. */
const typedClassName = "w-auto! min-w-32 max-w-56 flex-1 max-md:min-w-36 max-md:max-w-none";
const selectClassName = "max-md:w-auto! max-md:min-w-36 max-md:flex-1";

/** The address carries all of them. */
export function AuditFilters({ values, actions, reseller, searchResellers }: AuditFiltersProps) {
  const router = useRouter();
  const filtered = Object.values(values).some((value) => value !== null);

  function go(change: Partial<AuditFilterValues>) {
    const given = Object.entries({ ...values, ...change }).filter((entry): entry is [string, string] =>
      Boolean(entry[1]),
    );
    router.push(given.length === 0 ? PATH : `${PATH}?${new URLSearchParams(given)}`, { scroll: false });
  }

  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name)).trim() || null;
    go({ actor: text("actor"), subject: text("subject") });
  }

  return (
    <form className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5" onSubmit={apply}>
      <Select
        aria-label="Action"
        className={`w-48! ${selectClassName}`}
        onChange={({ target }) => go({ action: target.value || null })}
        options={actions}
        placeholder="All actions"
        value={values.action ?? ""}
      />
      <TimeFilter className={`w-40! ${selectClassName}`} onChoose={go} value={values} />
      <ResellerChoice
        chosen={reseller}
        onChoose={(id) => go({ reseller: id === null ? null : String(id) })}
        search={searchResellers}
      />
      <Input
        aria-label="Who"
        autoComplete="off"
        className={typedClassName}
        defaultValue={values.actor ?? ""}
        key={`actor ${values.actor}`}
        name="actor"
        placeholder="Who: name or email"
        spellCheck={false}
      />
      <Input
        aria-label="To what"
        autoComplete="off"
        className={typedClassName}
        defaultValue={values.subject ?? ""}
        key={`subject ${values.subject}`}
        name="subject"
        placeholder="To what: name or id"
        spellCheck={false}
      />
      <div className="flex gap-2">
        <Button type="submit">Apply</Button>
        {filtered && (
          <Button onClick={() => router.push(PATH, { scroll: false })} variant="ghost">
            Clear
          </Button>
        )}
      </div>
    </form>
  );
}
