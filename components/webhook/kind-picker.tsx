"use client";
import { useId } from "react";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { FieldError } from "#components/ui/field.tsx";
import { useFieldProblem } from "#components/ui/field-problems.ts";
import type { EventKind } from "#lib/domain/events.ts";
import { type KindGroup, kindGroups, kindTexts } from "./event-kinds.ts";

export interface KindPickerProps {
  readonly every: boolean;
  readonly onEveryChange: (every: boolean) => void;
  readonly kinds: readonly EventKind[];
  readonly onKindsChange: (kinds: readonly EventKind[]) => void;
}

/** All kinds of events, or some of them, by group. */
export function KindPicker({ every, onEveryChange, kinds, onKindsChange }: KindPickerProps) {
  const errorId = useId();
  const error = useFieldProblem("events");

  function toggle(changed: readonly EventKind[], on: boolean) {
    onKindsChange(on ? [...new Set([...kinds, ...changed])] : kinds.filter((kind) => !changed.includes(kind)));
  }

  return (
    <div className="flex flex-col gap-3" data-field="events" data-label="Events">
      <ChoiceCards
        choices={[
          { value: "every", label: "All events", detail: "Including kinds added later." },
          { value: "some", label: "Selected events", detail: "Only what your system acts on." },
        ]}
        columns={2}
        legend="Events"
        name="every_event"
        onChange={(value) => onEveryChange(value === "every")}
        value={every ? "every" : "some"}
      />
      {!every && (
        <div aria-describedby={error ? errorId : undefined} className="flex flex-col gap-3">
          <FieldError id={errorId}>{error}</FieldError>
          {kindGroups.map((group) => (
            <Group group={group} key={group.id} kinds={kinds} onToggle={toggle} />
          ))}
        </div>
      )}
    </div>
  );
}

interface GroupProps {
  readonly group: KindGroup;
  readonly kinds: readonly EventKind[];
  readonly onToggle: (changed: readonly EventKind[], on: boolean) => void;
}

function Group({ group, kinds, onToggle }: GroupProps) {
  const chosen = group.kinds.filter((kind) => kinds.includes(kind)).length;
  const whole = chosen === group.kinds.length;
  return (
    <fieldset className="rounded-md border px-3 pt-1 pb-2.5">
      <legend className="sr-only">{group.label}</legend>
      {group.kinds.length > 1 && (
        <div className="flex items-center justify-between gap-4 border-b py-1">
          <Checkbox
            checked={whole}
            label={<span className="font-medium">{`All ${group.id} events`}</span>}
            onChange={({ target }) => onToggle(group.kinds, target.checked)}
            ref={(input) => {
              if (input) input.indeterminate = chosen > 0 && !whole;
            }}
          />
          <span className="tabular text-text-muted text-xs">
            {chosen} of {group.kinds.length}
          </span>
        </div>
      )}
      <div className="grid gap-x-6 pt-1.5 sm:grid-cols-2">
        {group.kinds.map((kind) => (
          <Checkbox
            checked={kinds.includes(kind)}
            hint={kindTexts[kind]}
            key={kind}
            label={<code className="font-mono text-xs">{kind}</code>}
            name="events"
            onChange={({ target }) => onToggle([kind], target.checked)}
            value={kind}
          />
        ))}
      </div>
    </fieldset>
  );
}
