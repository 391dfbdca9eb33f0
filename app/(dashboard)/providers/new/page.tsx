import { add } from "#app/(dashboard)/providers/actions.ts";
import { ProviderForm } from "#components/provider/provider-form.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { requireAdminUser } from "#lib/dashboard/session.ts";

export default async function NewProviderPage() {
  await requireAdminUser("providers:write");
  return (
    <>
      <PageHeader
        description="Any service with the dispatch interface: the one you buy from, or another License Desk."
        title="Add a provider"
        trail={[{ label: "Providers", href: "/providers" }]}
      />
      <ProviderForm action={add} cancelHref="/providers" stored={null} />
    </>
  );
}
