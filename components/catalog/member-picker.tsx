"use client";
import { ArrowDown, ArrowUp, X } from "lucide-react";
import { useId } from "react";
import { FieldError } from "#components/ui/field.tsx";
import { useFieldProblem } from "#components/ui/field-problems.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Select } from "#components/ui/select.tsx";
import type { MemberChoice } from "./describe-cycle.ts";

export interface MemberPickerProps {
  readonly choices: readonly MemberChoice[];
  /** Product ids, in the order in which they are provisioned. */
  readonly value: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
}

/** An ordered list of products: add at the end, move, take out. */
export function MemberPicker({ choices, value, onChange }: MemberPickerProps) {
  const errorId = useId();
  const error = useFieldProblem("members");
  const selectId = useId();
  const chosen = value.flatMap((id) => choices.find((choice) => choice.id === id) ?? []);
  const free = choices.filter(({ id }) => !value.includes(id));

  function move(index: number, step: 1 | -1) {
    const moved = value.with(index, value[index + step] ?? 0).with(index + step, value[index] ?? 0);
    onChange(moved);
  }

  return (
    <fieldset aria-describedby={error ? errorId : undefined} data-field="members" data-label="Members">
      <legend className="mb-1.5 font-medium text-sm">Members</legend>
      {chosen.length > 0 && (
        <ol className="mb-2 divide-y rounded-md border">
          {chosen.map((member, index) => (
            <li className="flex items-center gap-2 py-1.5 pr-1.5 pl-3 text-sm" key={member.id}>
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{member.name}</span>
                <span className="block text-text-muted">
                  {member.provider} · {member.cycles}
                </span>
              </span>
              <IconButton
                disabled={index === 0}
                icon={<ArrowUp />}
                label={`Move ${member.name} up`}
                onClick={() => move(index, -1)}
              />
              <IconButton
                disabled={index === chosen.length - 1}
                icon={<ArrowDown />}
                label={`Move ${member.name} down`}
                onClick={() => move(index, 1)}
              />
              <IconButton
                icon={<X />}
                label={`Take ${member.name} out`}
                onClick={() => onChange(value.filter((id) => id !== member.id))}
              />
            </li>
          ))}
        </ol>
      )}
      <label className="sr-only" htmlFor={selectId}>
        Add a product
      </label>
      <Select
        aria-invalid={error ? true : undefined}
        disabled={free.length === 0}
        id={selectId}
        name="members"
        onChange={({ target }) => target.value !== "" && onChange([...value, Number(target.value)])}
        options={free.map(({ id, name, provider }) => ({ value: String(id), label: `${name} (${provider})` }))}
        placeholder="Add a product…"
        value=""
      />
      <FieldError className="mt-1.5" id={errorId}>
        {error}
      </FieldError>
      <p className="mt-1.5 text-sm text-text-muted">
        Two or more products of one provider. They are provisioned in this order, all or none.
      </p>
    </fieldset>
  );
}
