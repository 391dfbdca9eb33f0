import { findEndpoint } from "#app/(dashboard)/webhooks/[id]/find.ts";
import { update } from "#app/(dashboard)/webhooks/actions.ts";
import type { PageProps } from "#app/page-props.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { describeEndpoint } from "#components/webhook/describe-endpoint.ts";
import { EditEndpoint } from "#components/webhook/edit-endpoint.tsx";
import { endpointName } from "#components/webhook/endpoint-name.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";

export default async function EditEndpointPage({ params }: PageProps<"id">) {
  const [user, { id }] = await Promise.all([requireResellerUser("webhooks:write"), params]);
  const ctx = contextOf(user);
  const found = await findEndpoint(ctx, id);
  const endpoint = describeEndpoint(found, ctx.now());
  return (
    <>
      <PageHeader
        title={`Edit ${endpointName(endpoint)}`}
        trail={[
          { label: "Webhooks", href: "/webhooks" },
          { label: endpointName(endpoint), href: endpoint.href },
        ]}
      />
      <EditEndpoint
        endpoint={endpoint}
        update={update.bind(null, { endpointId: endpoint.endpointId, seenVersion: found.version })}
      />
    </>
  );
}
