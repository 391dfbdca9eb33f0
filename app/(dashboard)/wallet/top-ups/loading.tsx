import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

export default function TopUpsLoading() {
  return (
    <>
      <PageHeader title="Top-up requests" trail={[{ label: "Wallet", href: "/wallet" }]} />
      <Skeleton className="mb-3 h-7 w-64 rounded-full" />
      <Card flush>
        <TableSkeleton label="Loading requests" />
      </Card>
    </>
  );
}
