import Link from "next/link";
import type { ComponentProps } from "react";
import { cx } from "./cx.ts";

/** A link inside text: underlined, so that color is not what tells it apart. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...rest}
      className={cx(
        "rounded-sm text-accent-text underline decoration-accent-text/40 underline-offset-2 hover:decoration-current",
        className,
      )}
    />
  );
}
