import { addBundle } from "#app/(dashboard)/catalog/actions.ts";
import { describeMember } from "#components/catalog/describe-cycle.ts";
import { EditBundle } from "#components/catalog/edit-bundle.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { listPossibleMembers } from "#lib/services/catalog/get-bundle.ts";

export default async function NewBundlePage() {
  const members = await listPossibleMembers(contextOf(await requireAdminUser("catalog:write")));
  return (
    <>
      <PageHeader
        description="It is on sale once it has a cycle with a price."
        title="Add a bundle"
        trail={[
          { label: "Catalog", href: "/catalog" },
          { label: "Bundles", href: "/catalog/bundles" },
        ]}
      />
      <EditBundle
        action={addBundle}
        cancelHref="/catalog/bundles"
        choices={members.map(describeMember)}
        initial={{ name: "", description: "", members: [] }}
        isNew
      />
    </>
  );
}
