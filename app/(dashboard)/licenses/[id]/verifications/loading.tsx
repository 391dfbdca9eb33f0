import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

const rowNames = ["first", "second", "third", "fourth", "fifth", "sixth"];

export default function VerificationsLoading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the verifications</span>
      <PageHeader title="Verifications" trail={[{ label: "Licenses", href: "/licenses" }]} />
      <Card>
        <div className="flex flex-col divide-y">
          {rowNames.map((name) => (
            <div className="flex h-10 items-center gap-16" key={name}>
              <Skeleton className="w-28" />
              <Skeleton className="w-20" />
              <Skeleton className="w-40" />
            </div>
          ))}
        </div>
      </Card>
    </div>
  );
}
