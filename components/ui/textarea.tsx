import type { ComponentProps } from "react";
import { controlClassName } from "./control-style.ts";
import { cx } from "./cx.ts";

export function Textarea({ className, rows = 3, ...rest }: ComponentProps<"textarea">) {
  return <textarea {...rest} className={cx(controlClassName, "field-sizing-content py-1.5", className)} rows={rows} />;
}
