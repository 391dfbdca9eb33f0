import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function SettingsLoading() {
  return (
    <>
      <PageHeader title="Settings" />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title="You">
          <Skeleton className="h-56 rounded-md" />
        </Card>
        <Card title="Password">
          <Skeleton className="h-56 rounded-md" />
        </Card>
      </div>
    </>
  );
}
