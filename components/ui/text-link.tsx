import { cx } from "./cx.ts";
import { Link, type LinkProps } from "./link.tsx";

/** For links that load the whole page. */
export const textLinkClassName =
  "rounded-sm text-accent-text underline decoration-accent-text/40 underline-offset-2 hover:decoration-current";

/** Beside a card's title: where there is more. */
export function CardLink(props: Pick<LinkProps, "href" | "children" | "scroll">) {
  return <TextLink className="text-sm" {...props} />;
}

/** A link inside text: underlined, so that color is not what tells it apart. */
export function TextLink({ className, ...rest }: LinkProps) {
  return <Link {...rest} className={cx(textLinkClassName, className)} />;
}
