import { Card } from "./card.tsx";
import { Skeleton } from "./skeleton.tsx";

const ROWS = 8;

/** A page to come: its title, and rows in the height that they have in tables. */
export function PageSkeleton() {
  return (
    <div role="status">
      <h1 className="sr-only">Loading the page</h1>
      <div className="flex items-center justify-between gap-4 pb-5">
        <Skeleton className="my-1 h-5 w-56" />
        <Skeleton className="h-8 w-32 rounded-md max-md:hidden" />
      </div>
      <Card>
        {Array.from({ length: ROWS }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
          <div className="flex h-9 items-center gap-6 border-b px-4 last:border-b-0" key={row}>
            <Skeleton className="w-24" />
            <Skeleton className="w-1/4" />
            <Skeleton className="w-1/5 max-md:hidden" />
            <Skeleton className="ml-auto w-16" />
          </div>
        ))}
      </Card>
    </div>
  );
}
