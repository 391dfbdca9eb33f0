import { Card } from "#components/ui/card.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

const fieldNames = ["url", "description", "events", "order"];

/** The form of an endpoint, to come. */
export function EndpointFormSkeleton() {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]" role="status">
      <span className="sr-only">Loading the form</span>
      <Card>
        <div className="flex flex-col gap-5">
          {fieldNames.map((name) => (
            <div className="flex flex-col gap-2" key={name}>
              <Skeleton className="w-24" />
              <Skeleton className="h-8 rounded-md" />
            </div>
          ))}
        </div>
      </Card>
      <Card>
        <Skeleton className="h-60 rounded-md" />
      </Card>
    </div>
  );
}

/** Two columns of cards, to come; the right one narrow. */
export function DetailsSkeleton({ label }: { readonly label: string }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]" role="status">
      <span className="sr-only">{label}</span>
      <Card>
        <Skeleton className="h-72 rounded-md" />
      </Card>
      <Card>
        <Skeleton className="h-52 rounded-md" />
      </Card>
    </div>
  );
}
