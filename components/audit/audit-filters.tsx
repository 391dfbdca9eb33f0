"use client";
import { ResellerChoice, type ResellerFilter } from "#components/reseller/reseller-choice.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { FilterFold } from "#components/ui/filter-fold.tsx";
import { FilterInput } from "#components/ui/filter-input.tsx";
import { isFiltered } from "#components/ui/list-params.ts";
import { Select } from "#components/ui/select.tsx";
import { TimeFilter } from "#components/ui/time-filter.tsx";
import { useListParams } from "#components/ui/use-list-params.ts";
import type { AuditAction } from "#lib/domain/audit.ts";
import { AUDIT_PATH, auditParams } from "./audit-params.ts";

export interface AuditFiltersProps {
  readonly actions: readonly { readonly value: AuditAction; readonly label: string }[];
  /** For admins. */
  readonly resellers: ResellerFilter | null;
}

/** They share what the choices leave, so that nothing moves to another line when it can be cleared. */
const typedClassName = "w-auto! min-w-32 max-w-56 flex-1 max-md:min-w-36 max-md:max-w-none";
const selectClassName = "max-md:w-auto! max-md:min-w-36 max-md:flex-1";

export function AuditFilters({ actions, resellers }: AuditFiltersProps) {
  const { values, change } = useListParams(auditParams);

  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2.5">
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
        <FilterInput
          className={typedClassName}
          label="Actor"
          onChoose={(actor) => change({ actor })}
          placeholder="Actor: name or email"
          value={values.actor ?? ""}
        />
        <FilterInput
          className={typedClassName}
          label="Target"
          onChoose={(subject) => change({ subject })}
          placeholder="Target: name or ID"
          value={values.subject ?? ""}
        />
        {isFiltered(values) && (
          <ButtonLink href={AUDIT_PATH} scroll={false} variant="ghost">
            Clear
          </ButtonLink>
        )}
      </FilterFold>
    </div>
  );
}
