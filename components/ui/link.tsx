// biome-ignore lint/style/noRestrictedImports: the one place that uses it
import NextLink from "next/link";
import type { ComponentProps } from "react";

export type LinkProps = Omit<ComponentProps<typeof NextLink>, "prefetch">;

/**
 * A link to a page of ours. It fetches nothing until it is followed: every page shows what is true now, so there is
 * nothing to keep, and a page in view would ask for each of its links again after every change (docs/decisions/0076).
 */
export function Link(props: LinkProps) {
  return <NextLink {...props} prefetch={false} />;
}
