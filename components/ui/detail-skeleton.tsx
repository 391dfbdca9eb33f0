import { Card } from "./card.tsx";
import { PageHeader, type PageHeaderProps } from "./page-header.tsx";
import { Skeleton } from "./skeleton.tsx";

export interface DetailSkeletonProps {
  /** What is loading, for assistive technology. */
  readonly label: string;
  readonly trail: NonNullable<PageHeaderProps["trail"]>;
  readonly factCount: number;
}

/** The page of one thing before it is there: its facts at the left, something smaller at the right. */
export function DetailSkeleton({ label, trail, factCount }: DetailSkeletonProps) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <PageHeader
        actions={<Skeleton className="h-8 w-40 rounded-md" />}
        title={<Skeleton className="my-1 h-5 w-56" />}
        trail={trail}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <Card>
          <div className="flex flex-col divide-y">
            {Array.from({ length: factCount }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
              <div className="flex h-9 items-center gap-16" key={index}>
                <Skeleton className="w-24" />
                <Skeleton className="w-48" />
              </div>
            ))}
          </div>
        </Card>
        <Card>
          <Skeleton className="h-52 rounded-md" />
        </Card>
      </div>
    </div>
  );
}
