import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

const sides = ["Ledger", "License Desk", "Provider"];

export default function CaseLoading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the case</span>
      <PageHeader
        title={<Skeleton className="my-1 h-5 w-56" />}
        trail={[{ label: "Reconciliation", href: "/reconciliation" }]}
      />
      <div className="grid gap-4 md:grid-cols-3">
        {sides.map((side) => (
          <Card key={side}>
            <Skeleton className="h-36 rounded-md" />
          </Card>
        ))}
      </div>
    </div>
  );
}
