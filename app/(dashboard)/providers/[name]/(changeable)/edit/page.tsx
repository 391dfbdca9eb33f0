import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { edit } from "#app/(dashboard)/providers/actions.ts";
import { findProvider } from "#app/(dashboard)/providers/find.ts";
import { providerHref } from "#app/(dashboard)/providers/present.ts";
import { ProviderForm } from "#components/provider/provider-form.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";

export const metadata: Metadata = { title: "Edit the provider" };

export default async function EditProviderPage({ params }: { readonly params: Promise<{ readonly name: string }> }) {
  const [user, { name }] = await Promise.all([requireAdminUser(), params]);
  const provider = await findProvider(contextOf(user), name);
  // The sandbox has neither address nor credentials.
  if (provider.baseUrl === null) notFound();
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
        action={edit}
        cancelHref={href}
        stored={{ name: provider.name, baseUrl: provider.baseUrl, signs: provider.signs }}
      />
    </>
  );
}
