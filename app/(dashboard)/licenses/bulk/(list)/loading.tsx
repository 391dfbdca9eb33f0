import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TableSkeleton } from "#components/ui/skeleton.tsx";

export default function BulkJobsLoading() {
  return (
    <>
      <PageHeader title="Bulk changes" trail={[{ label: "Licenses", href: "/licenses" }]} />
      <Card flush>
        <TableSkeleton label="Loading bulk changes" rows={10} />
      </Card>
    </>
  );
}
