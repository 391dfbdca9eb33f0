import { Card } from "#components/ui/card.tsx";
import { PageHeader, type PageHeaderProps } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

/** A statement to come. */
export function StatementSkeleton({ trail }: Pick<PageHeaderProps, "trail">) {
  return (
    <>
      <PageHeader title="Statement" trail={trail} />
      <Skeleton className="mb-5 h-24 rounded-md" />
      <div className="flex flex-col gap-5">
        <Card>
          <Skeleton className="h-24 rounded-md" />
        </Card>
        <Card flush title="Summary">
          <TableSkeleton label="Loading the summary" rows={4} />
        </Card>
        <Card flush title="Entries">
          <TableSkeleton label="Loading the entries" rows={10} />
        </Card>
      </div>
    </>
  );
}
