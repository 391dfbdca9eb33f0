import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { DetailsSkeleton } from "#components/webhook/webhook-skeletons.tsx";

export default function EventLoading() {
  return (
    <>
      <PageHeader
        actions={<Skeleton className="h-8 w-24 rounded-md" />}
        title={<Skeleton className="my-1 h-5 w-56" />}
        trail={[
          { label: "Webhooks", href: "/webhooks" },
          { label: "Log", href: "/webhooks/log" },
        ]}
      />
      <DetailsSkeleton label="Loading the delivery" />
    </>
  );
}
