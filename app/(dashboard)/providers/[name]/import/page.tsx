import { applyImport, previewImport } from "#app/(dashboard)/providers/actions.ts";
import { findConnectedProvider } from "#app/(dashboard)/providers/find.ts";
import type { PageProps } from "#app/page-props.ts";
import { ImportCatalog } from "#components/provider/import-catalog.tsx";
import { providerHref } from "#components/provider/provider.ts";
import { PageHeader } from "#components/ui/page-header.tsx";

export default async function ImportPage({ params }: PageProps<"name">) {
  const provider = await findConnectedProvider((await params).name);
  return (
    <>
      <PageHeader
        description="Adds this provider's products and cycles. List prices are its prices plus a markup. Prices in other currencies, bundles and resellers' own prices stay."
        heading="Import the catalog"
        title={`Import from ${provider.name}`}
        trail={[
          { label: "Providers", href: "/providers" },
          { label: provider.name, href: providerHref(provider.name) },
        ]}
      />
      <ImportCatalog apply={applyImport} preview={previewImport} provider={provider.name} />
    </>
  );
}
