import { Import } from "lucide-react";
import { setDisabled, testConnection } from "#app/(dashboard)/providers/actions.ts";
import { findProvider } from "#app/(dashboard)/providers/find.ts";
import type { PageProps } from "#app/page-props.ts";
import { describeProvider } from "#components/provider/provider.ts";
import { DisableProvider, TestConnection } from "#components/provider/provider-actions.tsx";
import { ProviderFacts, ProviderHealthCard } from "#components/provider/provider-facts.tsx";
import { ProviderStateBadge } from "#components/provider/provider-state-badge.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";

export default async function ProviderPage({ params }: PageProps<"name">) {
  const provider = describeProvider(await findProvider((await params).name));
  const { href } = provider;
  const dispatch = provider.kind === "dispatch";
  return (
    <>
      <PageHeader
        actions={
          <Allowed to="providers:write">
            {dispatch && (
              <>
                <TestConnection action={testConnection} name={provider.name} />
                <ButtonLink href={`${href}/import`} icon={<Import />} variant="primary">
                  Import catalog
                </ButtonLink>
              </>
            )}
            <DisableProvider action={setDisabled} provider={provider} />
          </Allowed>
        }
        badge={<ProviderStateBadge state={provider.state} />}
        heading={provider.name}
        title={`${provider.name} · Providers`}
        trail={[{ label: "Providers", href: "/providers" }]}
      />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <ProviderHealthCard provider={provider} />
        <ProviderFacts provider={provider} />
      </div>
    </>
  );
}
