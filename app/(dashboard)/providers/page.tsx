import { describeProvider } from "#components/provider/provider.ts";
import { ProviderTable } from "#components/provider/provider-table.tsx";
import { CreateLink } from "#components/shell/create-link.tsx";
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
          <CreateLink href="/providers/new" to="providers:write">
            Add provider
          </CreateLink>
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
