import { ChevronsUpDown } from "lucide-react";
import type { ComponentProps } from "react";
import { controlHeightClassName } from "./control-style.ts";
import { cx } from "./cx.ts";

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

export interface SelectProps extends Omit<ComponentProps<"select">, "children" | "multiple"> {
  readonly options: readonly SelectOption[];
  /** Shown, and submitted as "", until something is chosen. */
  readonly placeholder?: string;
}

/** The platform's own select: its keyboard, its picker on phones, no script. */
export function Select({ options, placeholder, className, ...rest }: SelectProps) {
  return (
    <span className={cx("relative inline-flex w-full", className)}>
      <select
        autoComplete="off"
        {...rest}
        className={cx(
          "w-full appearance-none truncate rounded-md bg-surface pr-8 pl-2.5 text-sm text-text inset-ring inset-ring-border-control hover:bg-surface-hover focus-visible:outline-offset-0 disabled:bg-surface-sunken disabled:inset-ring-border disabled:text-text-muted aria-invalid:inset-ring-2 aria-invalid:inset-ring-critical pointer-coarse:text-[1rem]",
          controlHeightClassName,
        )}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option className="bg-surface-raised" disabled={option.disabled} key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronsUpDown className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-text-muted" />
    </span>
  );
}
