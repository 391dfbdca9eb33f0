import { PageHeader } from "#components/ui/page-header.tsx";
import { EndpointFormSkeleton } from "#components/webhook/webhook-skeletons.tsx";

export default function NewEndpointLoading() {
  return (
    <>
      <PageHeader title="Add an endpoint" trail={[{ label: "Webhooks", href: "/webhooks" }]} />
      <EndpointFormSkeleton />
    </>
  );
}
