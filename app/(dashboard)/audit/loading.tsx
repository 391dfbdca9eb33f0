import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TableSkeleton } from "#components/ui/skeleton.tsx";

export default function AuditLoading() {
  return (
    <>
      <PageHeader
        description="Who changed what. Entries are kept for good: the database refuses to change or to delete one."
        title="Audit log"
      />
      <Card flush>
        <TableSkeleton label="Loading the audit log" />
      </Card>
    </>
  );
}
