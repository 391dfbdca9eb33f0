import { cx } from "./cx.ts";
import { Link, type LinkProps } from "./link.tsx";

/** For links that load the whole page. */
export const textLinkClassName =
  "rounded-sm text-accent-text underline decoration-accent-text/40 underline-offset-2 hover:decoration-current";

/** A link inside text: underlined, so that color is not what tells it apart. */
export function TextLink({ className, ...rest }: LinkProps) {
  return <Link {...rest} className={cx(textLinkClassName, className)} />;
}
