import { retireBundle } from "#app/(dashboard)/catalog/actions.ts";
import { CyclesSection } from "#app/(dashboard)/catalog/cycles-section.tsx";
import { idIn, orNotFound } from "#app/(dashboard)/or-not-found.ts";
import type { PageProps } from "#app/page-props.ts";
import { bundleHref, productHref } from "#components/catalog/catalog.ts";
import { describeCycle } from "#components/catalog/describe-cycle.ts";
import { NextRenewals } from "#components/catalog/next-renewals.tsx";
import { RetireButton } from "#components/catalog/retire-button.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { getCatalogBundle } from "#lib/services/catalog/get-bundle.ts";
import { listPriceCurrencies } from "#lib/services/catalog/list-catalog.ts";
import { getPriceReach } from "#lib/services/catalog/price-reach.ts";

export default async function CatalogBundlePage({ params }: PageProps<"id">) {
  const [user, { id }] = await Promise.all([requireAdminUser("admin:read"), params]);
  const ctx = contextOf(user);
  const bundle = await orNotFound(getCatalogBundle(ctx, { bundleId: idIn(id) }));
  const { cycles } = bundle;
  const [{ reach, next }, currencies] = await Promise.all([
    getPriceReach(ctx, { cycleIds: cycles.map((cycle) => cycle.id) }),
    listPriceCurrencies(ctx),
  ]);
  const live = reach.reduce((sum, { renewable, ownPrice }) => sum + renewable + ownPrice, 0);
  return (
    <>
      <PageHeader
        actions={
          <Allowed to="catalog:write">
            <RetireButton
              action={retireBundle}
              id={bundle.id}
              kept={{ label: "Bundles that stay", count: live }}
              name={bundle.name}
              retired={bundle.retired}
            />
            <ButtonLink href={`${bundleHref(bundle.id)}/edit`}>Edit</ButtonLink>
          </Allowed>
        }
        badge={bundle.retired && <Badge>Retired</Badge>}
        description={bundle.description}
        heading={bundle.name}
        title={`${bundle.name} · Catalog`}
        trail={[
          { label: "Catalog", href: "/catalog" },
          { label: "Bundles", href: "/catalog/bundles" },
        ]}
      />
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <CyclesSection
          currencies={currencies}
          cycles={cycles.map((cycle) => describeCycle(cycle, reach))}
          owner={{ bundle_id: bundle.id, name: bundle.name, coreMetered: false, providerCycles: false }}
        />
        <div className="flex min-w-0 flex-col gap-5">
          <Card description="Provisioned in this order, all or none." flush title="Members">
            <ol className="divide-y border-t">
              {bundle.members.map((member) => (
                <li className="px-4 py-2 text-sm" key={member.id}>
                  <TextLink href={productHref(member.id)}>{member.name}</TextLink>
                  <span className="block text-text-muted">
                    {member.provider}
                    {member.coreMetered && " · further cores at its own price"}
                    {member.retired && " · retired"}
                  </span>
                </li>
              ))}
            </ol>
          </Card>
          <NextRenewals cycles={cycles} renewals={next} />
        </div>
      </div>
    </>
  );
}
