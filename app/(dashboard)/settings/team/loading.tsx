import { SettingsTabs } from "#app/(dashboard)/settings/tabs.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TableSkeleton } from "#components/ui/skeleton.tsx";

export default function TeamLoading() {
  return (
    <>
      <PageHeader title="Settings" />
      <SettingsTabs />
      <Card flush title="Who has access">
        <TableSkeleton label="Loading who has access" />
      </Card>
    </>
  );
}
