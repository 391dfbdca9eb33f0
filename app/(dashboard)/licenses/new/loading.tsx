import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function NewLicenseLoading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the products</span>
      <PageHeader title="Register a license" trail={[{ label: "Licenses", href: "/licenses" }]} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card>
          <div className="flex flex-col gap-3">
            {["a", "b", "c", "d", "e", "f"].map((name) => (
              <Skeleton className="h-14 rounded-md" key={name} />
            ))}
          </div>
        </Card>
        <Card>
          <Skeleton className="h-44 rounded-md" />
        </Card>
      </div>
    </div>
  );
}
