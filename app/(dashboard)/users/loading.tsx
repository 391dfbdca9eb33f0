import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TableSkeleton } from "#components/ui/skeleton.tsx";

export default function UsersLoading() {
  return (
    <>
      <PageHeader description="Who signs in to the dashboard: admins, and the people of resellers." title="Users" />
      <Card flush>
        <TableSkeleton label="Loading users" />
      </Card>
    </>
  );
}
