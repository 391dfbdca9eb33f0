import { create } from "#app/(dashboard)/webhooks/actions.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { CreateEndpoint } from "#components/webhook/create-endpoint.tsx";
import { requireResellerUser } from "#lib/dashboard/session.ts";

export default async function NewEndpointPage() {
  await requireResellerUser("webhooks:write");
  return (
    <>
      <PageHeader title="Add an endpoint" trail={[{ label: "Webhooks", href: "/webhooks" }]} />
      <CreateEndpoint action={create} />
    </>
  );
}
