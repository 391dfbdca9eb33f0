"use client";
import type { FormEvent } from "react";
import {
  type ChosenReseller,
  ResellerChoice,
  type ResellerChoiceProps,
} from "#components/reseller/reseller-choice.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { FilterFold } from "#components/ui/filter-fold.tsx";
import { Input } from "#components/ui/input.tsx";
import { isFiltered } from "#components/ui/list-params.ts";
import { Select } from "#components/ui/select.tsx";
import { TimeFilter } from "#components/ui/time-filter.tsx";
import { useListParams } from "#components/ui/use-list-params.ts";
import type { AuditAction } from "#lib/domain/audit.ts";
import { AUDIT_PATH, auditParams } from "./audit-params.ts";

export interface AuditFiltersProps {
  readonly actions: readonly { readonly value: AuditAction; readonly label: string }[];
  /** For admins. */
  readonly resellers: { readonly chosen: ChosenReseller | null; readonly search: ResellerChoiceProps["search"] } | null;
}

/** They share what the choices leave, so that nothing moves to another line when it can be cleared. */
const typedClassName = "w-auto! min-w-32 max-w-56 flex-1 max-md:min-w-36 max-md:max-w-none";
const selectClassName = "max-md:w-auto! max-md:min-w-36 max-md:flex-1";

export function AuditFilters({ actions, resellers }: AuditFiltersProps) {
  const { values, change } = useListParams(auditParams);

  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name)).trim() || null;
    change({ actor: text("actor"), subject: text("subject") });
  }

  return (
    <form className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5" onSubmit={apply}>
      <Select
        aria-label="Action"
        className={`w-48! ${selectClassName}`}
        onChange={({ target }) =>
          change({ action: actions.find(({ value }) => value === target.value)?.value ?? null })
        }
        options={actions}
        placeholder="All actions"
        value={values.action ?? ""}
      />
      <TimeFilter className={`w-40! ${selectClassName}`} onChoose={change} value={values} />
      <FilterFold active={(values.actor ?? values.subject ?? values.reseller) !== null}>
        {resellers && <ResellerChoice {...resellers} onChoose={(id) => change({ reseller: id })} />}
        <Input
          aria-label="Actor"
          autoComplete="off"
          className={typedClassName}
          defaultValue={values.actor ?? ""}
          key={`actor ${values.actor}`}
          name="actor"
          placeholder="Actor: name or email"
          spellCheck={false}
        />
        <Input
          aria-label="Target"
          autoComplete="off"
          className={typedClassName}
          defaultValue={values.subject ?? ""}
          key={`subject ${values.subject}`}
          name="subject"
          placeholder="Target: name or id"
          spellCheck={false}
        />
        <div className="flex gap-2">
          <Button type="submit">Apply</Button>
          {isFiltered(values) && (
            <ButtonLink href={AUDIT_PATH} scroll={false} variant="ghost">
              Clear
            </ButtonLink>
          )}
        </div>
      </FilterFold>
    </form>
  );
}
