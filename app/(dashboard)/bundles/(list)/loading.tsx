import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TableSkeleton } from "#components/ui/skeleton.tsx";

export default function BundlesLoading() {
  return (
    <>
      <PageHeader description="Several licenses for one server, at one price and with one term." title="Bundles" />
      <Card flush title="Your bundles">
        <div className="border-t">
          <TableSkeleton label="Loading bundles" />
        </div>
      </Card>
    </>
  );
}
