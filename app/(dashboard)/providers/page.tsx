import { Plus } from "lucide-react";
import { describeProvider } from "#components/provider/provider.ts";
import { ProviderTable } from "#components/provider/provider-table.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { listProviders } from "#lib/services/provider/list.ts";

/** Never empty: the sandbox is always there. */
export default async function ProvidersPage() {
  const providers = await listProviders(contextOf(await requireAdminUser("admin:read")));
  return (
    <>
      <PageHeader
        actions={
          <Allowed to="providers:write">
            {" "}
            <ButtonLink href="/providers/new" icon={<Plus aria-hidden className="size-4" />} variant="primary">
              Add provider
            </ButtonLink>
          </Allowed>
        }
        description="Providers issue the licenses that you sell."
        title="Providers"
      />
      <Card flush>
        <ProviderTable rows={providers.map(describeProvider)} />
      </Card>
    </>
  );
}
