import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";

export interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

export function Checkbox({ label, hint, className, id, ...rest }: CheckboxProps) {
  const ownId = useId();
  return (
    <label className="group flex items-start gap-2.5 py-0.5 text-sm" htmlFor={id ?? ownId}>
      <CheckboxControl {...rest} className="mt-0.5" id={id ?? ownId} />
      <span>
        <span className="group-has-disabled:opacity-60">{label}</span>
        {hint && <span className="block text-text-muted">{hint}</span>}
      </span>
    </label>
  );
}

/** The box alone, for whoever brings a label of another kind. */
export function CheckboxControl({ className, ...rest }: Omit<ComponentProps<"input">, "type">) {
  return (
    <span className={cx("relative grid size-4 shrink-0 place-items-center", className)}>
      <input
        {...rest}
        className="peer size-4 appearance-none rounded-sm bg-surface inset-ring inset-ring-border-control checked:bg-accent checked:inset-ring-accent aria-invalid:inset-ring-2 aria-invalid:inset-ring-critical indeterminate:bg-accent indeterminate:inset-ring-accent disabled:opacity-60"
        type="checkbox"
      />
      <svg
        aria-hidden="true"
        className="pointer-events-none absolute size-3 text-text-on-accent opacity-0 peer-checked:opacity-100 peer-indeterminate:opacity-0"
        fill="none"
        stroke="currentColor"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth="2.5"
        viewBox="0 0 12 12"
      >
        <path d="m2.5 6.5 2.5 2.5 4.5-5.5" />
      </svg>
      <span className="pointer-events-none absolute h-0.5 w-2 rounded-full bg-text-on-accent opacity-0 peer-indeterminate:opacity-100" />
    </span>
  );
}
