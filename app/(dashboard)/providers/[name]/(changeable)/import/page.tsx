import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { applyImport, previewImport } from "#app/(dashboard)/providers/actions.ts";
import { findProvider } from "#app/(dashboard)/providers/find.ts";
import { providerHref } from "#app/(dashboard)/providers/present.ts";
import { ImportCatalog } from "#components/provider/import-catalog.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";

export const metadata: Metadata = { title: "Import a provider's catalog" };

export default async function ImportPage({ params }: { readonly params: Promise<{ readonly name: string }> }) {
  const [user, { name }] = await Promise.all([requireAdminUser(), params]);
  const provider = await findProvider(contextOf(user), name);
  if (provider.kind === "sandbox") notFound();
  return (
    <>
      <PageHeader
        description="Takes over its products and cycles, and sets list prices by a margin on what they cost us. Resellers' own prices, other currencies and bundles stay as they are."
        title="Import the catalog"
        trail={[
          { label: "Providers", href: "/providers" },
          { label: provider.name, href: providerHref(provider.name) },
        ]}
      />
      <ImportCatalog apply={applyImport} preview={previewImport} provider={provider.name} />
    </>
  );
}
