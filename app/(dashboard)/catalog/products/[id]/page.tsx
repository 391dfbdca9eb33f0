import { retireProduct } from "#app/(dashboard)/catalog/actions.ts";
import { ItemScreen } from "#app/(dashboard)/catalog/item-screen.tsx";
import { idIn, orNotFound } from "#app/(dashboard)/or-not-found.ts";
import type { PageProps } from "#app/page-props.ts";
import { bundleHref, productHref } from "#components/catalog/catalog.ts";
import { Card } from "#components/ui/card.tsx";
import { DescriptionList } from "#components/ui/description-list.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { numberText } from "#lib/domain/count-text.ts";
import { type CatalogProduct, getCatalogProduct } from "#lib/services/catalog/get-product.ts";

export default async function ProductPage({ params }: PageProps<"id">) {
  const [user, { id }] = await Promise.all([requireAdminUser("admin:read"), params]);
  const ctx = contextOf(user);
  const product = await orNotFound(getCatalogProduct(ctx, { productId: idIn(id) }));
  return (
    <ItemScreen
      ctx={ctx}
      href={productHref(product.id)}
      item={product}
      kept={{ label: "Licenses that stay", count: product.keptLicenses }}
      owner={{
        product_id: product.id,
        name: product.name,
        coreMetered: product.coreMetered,
        providerCycles: product.providerKind !== "sandbox",
      }}
      retire={retireProduct}
      trail={[{ label: "Catalog", href: "/catalog" }]}
    >
      <ProductFacts product={product} />
    </ItemScreen>
  );
}

function ProductFacts({ product }: { readonly product: CatalogProduct }) {
  return (
    <Card title="About">
      <DescriptionList
        items={[
          { term: "Type", value: <code className="font-mono text-xs">{product.slug}</code> },
          {
            term: "Provider",
            value: <TextLink href={`/providers/${product.providerName}`}>{product.providerName}</TextLink>,
          },
          product.providerSku !== product.slug && {
            term: "Provider's code",
            value: <code className="font-mono text-xs">{product.providerSku}</code>,
          },
          product.coreMetered && { term: "Metering", value: "By cores" },
          product.workers !== 0 && { term: "Workers", value: String(product.workers) },
          { term: "Licenses", value: numberText(product.keptLicenses) },
          product.bundles.length !== 0 && {
            term: "In bundles",
            value: (
              <span className="flex flex-col">
                {product.bundles.map(({ id, name }) => (
                  <TextLink href={bundleHref(id)} key={id}>
                    {name}
                  </TextLink>
                ))}
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}
