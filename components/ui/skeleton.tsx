import { cx } from "./cx.ts";

/** One line or block to come; give it its size by class. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden className={cx("block h-4 animate-pulse rounded-sm bg-surface-selected", className)} />;
}
