import { cx } from "./cx.ts";

/** One line or block to come; give it its size by class. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden className={cx("block h-4 animate-pulse rounded-sm bg-surface-selected", className)} />;
}

/** A table to come, in the height that its rows will have. */
export function TableSkeleton({ rows = 8, label = "Loading" }: { readonly rows?: number; readonly label?: string }) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <div className="flex h-9 items-center gap-6 border-b px-4 last:border-b-0" key={row}>
          <Skeleton className="w-24" />
          <Skeleton className="w-1/4" />
          <Skeleton className="w-1/5 max-md:hidden" />
          <Skeleton className="ml-auto w-16" />
        </div>
      ))}
    </div>
  );
}
