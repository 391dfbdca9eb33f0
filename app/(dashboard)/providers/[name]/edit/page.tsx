import { objectTitle } from "#app/(dashboard)/object-title.ts";
import { edit } from "#app/(dashboard)/providers/actions.ts";
import { findConnectedProvider } from "#app/(dashboard)/providers/find.ts";
import { providerHref } from "#components/provider/provider.ts";
import { ProviderForm } from "#components/provider/provider-form.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";

export const generateMetadata = objectTitle(
  ({ name }: { name: string }) => findConnectedProvider(name),
  ({ name }) => `Edit ${name}`,
  "Edit the provider",
);

export default async function EditProviderPage({ params }: { readonly params: Promise<{ readonly name: string }> }) {
  const provider = await findConnectedProvider((await params).name);
  const href = providerHref(provider.name);
  return (
    <>
      <PageHeader
        title="Edit the provider"
        trail={[
          { label: "Providers", href: "/providers" },
          { label: provider.name, href },
        ]}
      />
      <ProviderForm
        action={edit.bind(null, { seenVersion: provider.version })}
        cancelHref={href}
        stored={{ name: provider.name, baseUrl: provider.baseUrl, signs: provider.signs }}
      />
    </>
  );
}
