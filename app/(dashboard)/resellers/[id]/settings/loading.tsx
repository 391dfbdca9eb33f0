import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function ResellerSettingsLoading() {
  return (
    <>
      <PageHeader title="Settings" trail={[{ label: "Resellers", href: "/resellers" }]} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title="Reseller">
          <Skeleton className="h-72 rounded-md" />
        </Card>
        <Card title="Renewals">
          <Skeleton className="h-56 rounded-md" />
        </Card>
      </div>
    </>
  );
}
