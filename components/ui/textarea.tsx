import type { ComponentProps } from "react";
import { controlClassName } from "./control-style.ts";
import { cx } from "./cx.ts";

export type TextareaProps = ComponentProps<"textarea">;

/** Grows with its text, from `rows` lines on: a field sized by its content leaves its own rows out of account. */
export function Textarea({ className, rows = 2, ...rest }: TextareaProps) {
  return (
    <textarea
      {...rest}
      className={cx(controlClassName, "field-sizing-content py-1.5", className)}
      rows={rows}
      style={{ minHeight: `calc(${rows}lh + 0.75rem)` }}
    />
  );
}
