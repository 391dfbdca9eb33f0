import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

export default function ResellerPricesLoading() {
  return (
    <>
      <PageHeader title="Prices" trail={[{ label: "Resellers", href: "/resellers" }]} />
      <Skeleton className="mb-3 h-8 w-72 rounded-md max-md:w-full" />
      <Card flush>
        <TableSkeleton label="Loading prices" />
      </Card>
    </>
  );
}
