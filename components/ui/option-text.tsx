import type { ReactNode } from "react";
import { cx } from "./cx.ts";

export interface OptionTextProps {
  /** Of the control. */
  readonly id: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly labelClassName?: string;
}

const idsOf = (id: string) => ({ label: `${id}-label`, hint: `${id}-hint` });

/** What a checkbox or a switch offers, with a hint below it. */
export function OptionText({ id, label, hint, labelClassName }: OptionTextProps) {
  const ids = idsOf(id);
  return (
    <span>
      <span className={labelClassName} id={ids.label}>
        {label}
      </span>
      {hint && (
        <span className="block text-text-muted" id={ids.hint}>
          {hint}
        </span>
      )}
    </span>
  );
}

/** The control is named by its label alone, and described by its hint and by what else describes it. */
export function namedByOptionText({ id, hint }: Pick<OptionTextProps, "id" | "hint">, describedBy?: string) {
  const ids = idsOf(id);
  return {
    "aria-describedby": cx(describedBy, hint ? ids.hint : null) || undefined,
    "aria-labelledby": ids.label,
  };
}
