import { cx } from "./cx.ts";
import { Link, type LinkProps } from "./link.tsx";

/** A link inside text: underlined, so that color is not what tells it apart. */
export function TextLink({ className, ...rest }: LinkProps) {
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
