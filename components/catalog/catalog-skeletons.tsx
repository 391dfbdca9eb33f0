import { Card } from "#components/ui/card.tsx";
import { PageHeader, type PageHeaderProps } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

interface SkeletonProps {
  readonly label: string;
  readonly trail: NonNullable<PageHeaderProps["trail"]>;
}

/** A product, a bundle or a provider, to come. */
export function OfferSkeleton({ label, trail }: SkeletonProps) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <PageHeader
        actions={<Skeleton className="h-8 w-40 rounded-md" />}
        title={<Skeleton className="my-1 h-5 w-56" />}
        trail={trail}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card>
          <Skeleton className="h-72 rounded-md" />
        </Card>
        <Card>
          <Skeleton className="h-52 rounded-md" />
        </Card>
      </div>
    </div>
  );
}

const fieldNames = ["one", "two", "three", "four"];

/** A form of the catalog, to come. */
export function FormSkeleton({ label, trail }: SkeletonProps) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <PageHeader title={<Skeleton className="my-1 h-5 w-44" />} trail={trail} />
      <Card className="max-w-2xl">
        <div className="flex flex-col gap-5">
          {fieldNames.map((name) => (
            <div className="flex flex-col gap-2" key={name}>
              <Skeleton className="w-24" />
              <Skeleton className="h-8 rounded-md" />
            </div>
          ))}
        </div>
      </Card>
    </div>
  );
}
