"use client";
import { licenseSearchTexts } from "#components/license/license-search-texts.ts";
import { chipsOf, FilterChips } from "#components/ui/filter-chips.tsx";
import { FilterFold } from "#components/ui/filter-fold.tsx";
import { isFiltered } from "#components/ui/list-params.ts";
import { type ChosenObject, ObjectChoice, type ObjectChoiceProps } from "#components/ui/object-choice.tsx";
import { Select } from "#components/ui/select.tsx";
import { TimeFilter } from "#components/ui/time-filter.tsx";
import { useListParams } from "#components/ui/use-list-params.ts";
import { eventKinds } from "#lib/domain/events.ts";
import { formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import { endpointName, type NamedEndpoint } from "./endpoint-name.ts";
import { filterOutcomes } from "./filter-outcome.ts";
import { logParams } from "./log-params.ts";

export interface LogFiltersProps {
  readonly endpoints: readonly (NamedEndpoint & { readonly id: string })[];
  /** That the log is filtered by. */
  readonly license: ChosenObject | null;
  readonly searchLicenses: ObjectChoiceProps["search"];
}

export function LogFilters({ endpoints, license, searchLicenses }: LogFiltersProps) {
  const { values, change, hrefWith } = useListParams(logParams);
  return (
    <div className="mb-3 flex gap-x-3 gap-y-2.5 max-md:flex-col md:flex-wrap md:items-center">
      <FilterFold
        active={isFiltered({ ...values, outcome: null })}
        className="grid grid-cols-2 items-center gap-x-3 gap-y-2.5 max-md:*:last:odd:col-span-2 md:contents"
      >
        {endpoints.length > 1 && (
          <Select
            aria-label="Endpoint"
            className="md:w-56!"
            onChange={({ target }) => change({ endpoint: target.value || null })}
            options={endpoints.map((endpoint) => ({ value: endpoint.id, label: endpointName(endpoint) }))}
            placeholder="All endpoints"
            value={values.endpoint ?? ""}
          />
        )}
        <Select
          aria-label="Kind of event"
          className="md:w-52!"
          onChange={({ target }) => change({ kind: eventKinds.find((kind) => kind === target.value) ?? null })}
          options={eventKinds.map((kind) => ({ value: kind, label: kind }))}
          placeholder="All kinds"
          value={values.kind ?? ""}
        />
        <ObjectChoice
          {...licenseSearchTexts}
          chosen={license}
          label="License"
          onChoose={(id) => change({ license: id === null ? null : formatLicenseId(id as LicenseId) })}
          search={searchLicenses}
        />
        <TimeFilter className="md:w-40!" onChoose={change} value={values} />
      </FilterFold>
      <FilterChips
        chips={chipsOf(filterOutcomes, values.outcome, (outcome) => hrefWith({ outcome }))}
        label="Filter by outcome"
      />
    </div>
  );
}
