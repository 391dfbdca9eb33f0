import { PageHeader } from "#components/ui/page-header.tsx";
import { EndpointFormSkeleton } from "#components/webhook/webhook-skeletons.tsx";

export default function EditEndpointLoading() {
  return (
    <>
      <PageHeader title="Edit the endpoint" trail={[{ label: "Webhooks", href: "/webhooks" }]} />
      <EndpointFormSkeleton />
    </>
  );
}
