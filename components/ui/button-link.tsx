import type { ReactNode } from "react";
import { type ButtonSize, type ButtonVariant, buttonClassName } from "./button-style.ts";
import { cx } from "./cx.ts";
import { Link, type LinkProps } from "./link.tsx";

export interface ButtonLinkProps extends LinkProps {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  readonly icon?: ReactNode;
}

/** Goes somewhere, looks like a button. */
export function ButtonLink({
  variant = "secondary",
  size = "md",
  icon,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <Link data-screen-only="" {...rest} className={cx(buttonClassName(variant, size), className)}>
      {icon}
      {children}
    </Link>
  );
}
