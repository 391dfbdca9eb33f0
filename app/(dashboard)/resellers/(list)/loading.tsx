import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TableSkeleton } from "#components/ui/skeleton.tsx";

export default function ResellersLoading() {
  return (
    <>
      <PageHeader title="Resellers" />
      <Card flush>
        <TableSkeleton label="Loading resellers" />
      </Card>
    </>
  );
}
