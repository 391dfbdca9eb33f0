"use client";
import { type ReactNode, useId } from "react";
import { cx } from "#components/ui/cx.ts";
import { FieldError } from "#components/ui/field.tsx";
import { useFieldProblem } from "#components/ui/field-problems.ts";

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly detail?: ReactNode;
  /** At the end of the card, e.g. a price. */
  readonly trailing?: ReactNode;
}

export interface ChoiceCardsProps {
  readonly name: string;
  readonly legend: string;
  readonly choices: readonly Choice[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  readonly columns?: 1 | 2 | 3;
}

const columnClasses = {
  1: "",
  2: "sm:grid-cols-2 sm:[&>:last-child:nth-child(odd)]:col-span-2",
  3: "sm:grid-cols-3",
} as const;

/** One of a few, where each needs more than a word: radio buttons, so that arrows move and Tab passes by. */
export function ChoiceCards({ name, legend, choices, value, onChange, columns = 1 }: ChoiceCardsProps) {
  const errorId = useId();
  const error = useFieldProblem(name);
  return (
    <fieldset aria-describedby={error ? errorId : undefined} data-field={name} data-label={legend}>
      <legend className="mb-1.5 font-medium text-sm">{legend}</legend>
      <div className={cx("grid gap-2", columnClasses[columns])}>
        {choices.map((choice) => (
          <label
            className="relative flex items-start gap-3 rounded-md bg-surface px-3 py-2 text-sm inset-ring inset-ring-border hover:bg-surface-hover has-checked:bg-accent-soft has-checked:inset-ring-2 has-checked:inset-ring-accent has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
            key={choice.value}
          >
            <input
              // Browsers restore an earlier choice when somebody comes back, without telling React.
              autoComplete="off"
              checked={choice.value === value}
              className="mt-0.5 grid size-4 shrink-0 cursor-pointer appearance-none place-items-center rounded-full bg-surface inset-ring inset-ring-border-control outline-none before:size-1.5 before:rounded-full checked:bg-accent checked:inset-ring-accent checked:before:bg-text-on-accent"
              name={name}
              onChange={() => onChange(choice.value)}
              type="radio"
              value={choice.value}
            />
            <span className="wrap-anywhere min-w-0 flex-1">
              <span className="block font-medium">{choice.label}</span>
              {choice.detail && <span className="block text-text-muted">{choice.detail}</span>}
            </span>
            {choice.trailing && <span className="text-right">{choice.trailing}</span>}
          </label>
        ))}
      </div>
      <FieldError className="mt-1.5" id={errorId}>
        {error}
      </FieldError>
    </fieldset>
  );
}
