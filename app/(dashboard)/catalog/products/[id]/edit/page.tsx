import { editProduct } from "#app/(dashboard)/catalog/actions.ts";
import { idIn, orNotFound } from "#app/(dashboard)/or-not-found.ts";
import type { PageProps } from "#app/page-props.ts";
import { productHref } from "#components/catalog/catalog.ts";
import { EditProduct } from "#components/catalog/edit-product.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { getCatalogProduct } from "#lib/services/catalog/get-product.ts";
import { listProviders } from "#lib/services/provider/list.ts";

export default async function EditProductPage({ params }: PageProps<"id">) {
  const [user, { id }] = await Promise.all([requireAdminUser("catalog:write"), params]);
  const ctx = contextOf(user);
  const [product, providers] = await Promise.all([
    orNotFound(getCatalogProduct(ctx, { productId: idIn(id) })),
    listProviders(ctx),
  ]);
  const href = productHref(product.id);
  return (
    <>
      <PageHeader
        heading="Edit the product"
        title={`Edit ${product.name}`}
        trail={[
          { label: "Catalog", href: "/catalog" },
          { label: product.name, href },
        ]}
      />
      <EditProduct
        action={editProduct.bind(null, { id: product.id, seenVersion: product.version })}
        cancelHref={href}
        fixed={{
          type: "It never changes: it identifies the product in the API.",
          ...(product.keptLicenses > 0 ? { provider: "Can't change while licenses exist." } : {}),
          ...(product.priceCount > 0 ? { coreMetered: "Can't change while the product has prices." } : {}),
        }}
        initial={{
          type: product.slug,
          name: product.name,
          description: product.description,
          provider: product.providerName,
          provider_sku: product.providerSku,
          core_metered: product.coreMetered,
          workers: String(product.workers),
        }}
        isNew={false}
        providers={providers.map(({ name }) => name)}
      />
    </>
  );
}
