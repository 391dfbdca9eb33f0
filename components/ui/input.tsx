import type { ComponentProps, ReactNode } from "react";
import { controlClassName, controlHeightClassName } from "./control-style.ts";
import { cx } from "./cx.ts";

export interface InputProps extends ComponentProps<"input"> {
  /** For addresses, keys and codes, which no dictionary knows. */
  readonly mono?: boolean;
  /** In its right end, e.g. a CopyButton. */
  readonly button?: ReactNode;
}

export function Input({ mono = false, button, className, ...rest }: InputProps) {
  const input = (
    <input
      spellCheck={mono || rest.type === "email" ? false : undefined}
      {...rest}
      className={cx(
        button ? "w-full pr-10" : null,
        controlClassName,
        controlHeightClassName,
        mono && "font-mono",
        className,
      )}
    />
  );
  if (!button) return input;
  return (
    <span className="relative flex">
      {input}
      <span className="absolute inset-y-0 right-0.5 flex items-center">{button}</span>
    </span>
  );
}
