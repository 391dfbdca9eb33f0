import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx.ts";
import { namedByOptionText, OptionText } from "./option-text.tsx";

export interface CheckboxProps extends Omit<ComponentProps<"input">, "type" | "id" | "className"> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
}

export function Checkbox({ label, hint, "aria-describedby": describedBy, ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <label className="group flex items-start gap-2.5 py-0.5 text-sm" htmlFor={id}>
      <CheckboxControl {...rest} {...namedByOptionText({ id, hint }, describedBy)} className="mt-0.5" id={id} />
      <OptionText hint={hint} id={id} label={label} labelClassName="group-has-disabled:opacity-60" />
    </label>
  );
}

/** The box alone, for whoever brings a label of another kind. */
export function CheckboxControl({ className, ...rest }: Omit<ComponentProps<"input">, "type">) {
  return <input autoComplete="off" {...rest} className={cx("checkbox", className)} type="checkbox" />;
}
