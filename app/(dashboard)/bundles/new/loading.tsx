import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export default function NewBundleLoading() {
  return (
    <div role="status">
      <span className="sr-only">Loading the bundles</span>
      <PageHeader title="Register a bundle" trail={[{ label: "Bundles", href: "/bundles" }]} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card>
          <div className="flex flex-col gap-3">
            {["a", "b", "c"].map((name) => (
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
