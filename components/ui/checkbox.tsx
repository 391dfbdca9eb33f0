import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";

export interface CheckboxProps extends Omit<ComponentProps<"input">, "type" | "id" | "className"> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

export function Checkbox({ label, hint, "aria-describedby": describedBy, ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <label className="group flex items-start gap-2.5 py-0.5 text-sm" htmlFor={id}>
      <CheckboxControl
        {...rest}
        aria-describedby={cx(describedBy, hint ? `${id}-hint` : null) || undefined}
        aria-labelledby={`${id}-label`}
        className="mt-0.5"
        id={id}
      />
      <span>
        <span className="group-has-disabled:opacity-60" id={`${id}-label`}>
          {label}
        </span>
        {hint && (
          <span className="block text-text-muted" id={`${id}-hint`}>
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}

/** The box alone, for whoever brings a label of another kind. */
export function CheckboxControl({ className, ...rest }: Omit<ComponentProps<"input">, "type">) {
  return <input {...rest} className={cx("checkbox", className)} type="checkbox" />;
}
