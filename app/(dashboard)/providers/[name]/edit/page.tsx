import { edit } from "#app/(dashboard)/providers/actions.ts";
import { findConnectedProvider } from "#app/(dashboard)/providers/find.ts";
import type { PageProps } from "#app/page-props.ts";
import { providerHref } from "#components/provider/provider.ts";
import { ProviderForm } from "#components/provider/provider-form.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";

export default async function EditProviderPage({ params }: PageProps<"name">) {
  const provider = await findConnectedProvider((await params).name);
  const href = providerHref(provider.name);
  return (
    <>
      <PageHeader
        heading="Edit the provider"
        title={`Edit ${provider.name}`}
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
