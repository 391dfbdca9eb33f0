import { retireBundle } from "#app/(dashboard)/catalog/actions.ts";
import { ItemScreen } from "#app/(dashboard)/catalog/item-screen.tsx";
import { idIn, orNotFound } from "#app/(dashboard)/or-not-found.ts";
import type { PageProps } from "#app/page-props.ts";
import { bundleHref, productHref } from "#components/catalog/catalog.ts";
import { Card } from "#components/ui/card.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { getCatalogBundle } from "#lib/services/catalog/get-bundle.ts";

export default async function CatalogBundlePage({ params }: PageProps<"id">) {
  const [user, { id }] = await Promise.all([requireAdminUser("admin:read"), params]);
  const ctx = contextOf(user);
  const bundle = await orNotFound(getCatalogBundle(ctx, { bundleId: idIn(id) }));
  return (
    <ItemScreen
      ctx={ctx}
      href={bundleHref(bundle.id)}
      item={bundle}
      kept={{ label: "Bundles that stay" }}
      owner={{ bundle_id: bundle.id, name: bundle.name, coreMetered: false, providerCycles: false }}
      retire={retireBundle}
      trail={[
        { label: "Catalog", href: "/catalog" },
        { label: "Bundles", href: "/catalog/bundles" },
      ]}
    >
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
    </ItemScreen>
  );
}
