import type { ComponentProps } from "react";
import { controlClassName, controlHeightClassName } from "./control-style.ts";
import { cx } from "./cx.ts";

export interface InputProps extends ComponentProps<"input"> {
  /** For addresses, keys and codes. */
  readonly mono?: boolean;
}

export function Input({ mono = false, className, ...rest }: InputProps) {
  return <input {...rest} className={cx(controlClassName, controlHeightClassName, mono && "font-mono", className)} />;
}
