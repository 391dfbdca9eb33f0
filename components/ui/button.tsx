import type { ComponentProps, ReactNode } from "react";
import { type ButtonSize, type ButtonVariant, buttonClassName } from "./button-style.ts";
import { cx } from "./cx.ts";
import { Spinner } from "./spinner.tsx";

export interface ButtonProps extends ComponentProps<"button"> {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  readonly icon?: ReactNode;
  /** Work is under way: keeps its width and the focus, ignores presses. */
  readonly loading?: boolean;
  /** As wide as high, for a lone icon (see IconButton). */
  readonly square?: boolean;
}

/** `type` is `"button"` unless told otherwise: submitting is a decision, not an accident. */
export function Button({
  variant = "secondary",
  size = "md",
  icon,
  loading = false,
  square = false,
  type = "button",
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const label = (
    <>
      {icon}
      {children}
    </>
  );
  return (
    <button
      {...rest}
      aria-busy={loading || undefined}
      aria-disabled={loading || rest["aria-disabled"]}
      className={cx(buttonClassName(variant, size, square), className)}
      data-square={square || undefined}
      onClick={loading ? (event) => event.preventDefault() : onClick}
      type={type}
    >
      {loading ? (
        <>
          <span className="inline-flex items-center gap-1.5 opacity-0">{label}</span>
          <span className="absolute inset-0 grid place-items-center">
            <Spinner />
          </span>
        </>
      ) : (
        label
      )}
    </button>
  );
}
