import { editBundle } from "#app/(dashboard)/catalog/actions.ts";
import { idIn, orNotFound } from "#app/(dashboard)/or-not-found.ts";
import type { PageProps } from "#app/page-props.ts";
import { bundleHref } from "#components/catalog/catalog.ts";
import { describeMember } from "#components/catalog/describe-cycle.ts";
import { EditBundle } from "#components/catalog/edit-bundle.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { getCatalogBundle, listPossibleMembers } from "#lib/services/catalog/get-bundle.ts";

export default async function EditBundlePage({ params }: PageProps<"id">) {
  const [user, { id }] = await Promise.all([requireAdminUser("catalog:write"), params]);
  const ctx = contextOf(user);
  const [bundle, possible] = await Promise.all([
    orNotFound(getCatalogBundle(ctx, { bundleId: idIn(id) })),
    listPossibleMembers(ctx),
  ]);
  const href = bundleHref(bundle.id);
  // A member that is retired by now is shown too, to be taken out.
  const gone = bundle.members.filter((member) => possible.every((product) => product.id !== member.id));
  return (
    <>
      <PageHeader
        heading="Edit the bundle"
        title={`Edit ${bundle.name}`}
        trail={[
          { label: "Catalog", href: "/catalog" },
          { label: "Bundles", href: "/catalog/bundles" },
          { label: bundle.name, href },
        ]}
      />
      <EditBundle
        action={editBundle.bind(null, { id: bundle.id, seenVersion: bundle.version })}
        cancelHref={href}
        choices={[...possible, ...gone].map(describeMember)}
        initial={{
          name: bundle.name,
          description: bundle.description,
          members: bundle.members.map((member) => member.id),
        }}
        isNew={false}
      />
    </>
  );
}
