import { cx } from "#components/ui/cx.ts";

/** Filled: unread. */
export function UnreadDot({ unread }: { readonly unread: boolean }) {
  return (
    <span
      aria-hidden
      className={cx("block size-2.5 rounded-full", unread ? "bg-accent" : "inset-ring inset-ring-border-control")}
    />
  );
}
