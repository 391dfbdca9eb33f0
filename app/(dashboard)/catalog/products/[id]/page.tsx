import { retireProduct } from "#app/(dashboard)/catalog/actions.ts";
import { CyclesSection } from "#app/(dashboard)/catalog/cycles-section.tsx";
import { idIn, orNotFound } from "#app/(dashboard)/or-not-found.ts";
import type { PageProps } from "#app/page-props.ts";
import { bundleHref, productHref } from "#components/catalog/catalog.ts";
import { describeCycle } from "#components/catalog/describe-cycle.ts";
import { NextRenewals } from "#components/catalog/next-renewals.tsx";
import { RetireButton } from "#components/catalog/retire-button.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { DescriptionList } from "#components/ui/description-list.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { numberText } from "#lib/domain/count-text.ts";
import { type CatalogProduct, getCatalogProduct } from "#lib/services/catalog/get-product.ts";
import { listPriceCurrencies } from "#lib/services/catalog/list-catalog.ts";
import { getPriceReach } from "#lib/services/catalog/price-reach.ts";

export default async function ProductPage({ params }: PageProps<"id">) {
  const [user, { id }] = await Promise.all([requireAdminUser("admin:read"), params]);
  const ctx = contextOf(user);
  const product = await orNotFound(getCatalogProduct(ctx, { productId: idIn(id) }));
  const { cycles } = product;
  const [{ reach, next }, currencies] = await Promise.all([
    getPriceReach(ctx, { cycleIds: cycles.map((cycle) => cycle.id) }),
    listPriceCurrencies(ctx),
  ]);
  return (
    <>
      <PageHeader
        actions={
          <Allowed to="catalog:write">
            <RetireButton
              action={retireProduct}
              id={product.id}
              kept={{ label: "Licenses that stay", count: product.keptLicenses }}
              name={product.name}
              retired={product.retired}
            />
            <ButtonLink href={`${productHref(product.id)}/edit`}>Edit</ButtonLink>
          </Allowed>
        }
        badge={product.retired && <Badge>Retired</Badge>}
        description={product.description}
        heading={product.name}
        title={`${product.name} · Catalog`}
        trail={[{ label: "Catalog", href: "/catalog" }]}
      />
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <CyclesSection
          currencies={currencies}
          cycles={cycles.map((cycle) => describeCycle(cycle, reach))}
          owner={{
            product_id: product.id,
            name: product.name,
            coreMetered: product.coreMetered,
            providerCycles: product.providerKind !== "sandbox",
          }}
        />
        <div className="flex min-w-0 flex-col gap-5">
          <ProductFacts product={product} />
          <NextRenewals cycles={cycles} renewals={next} />
        </div>
      </div>
    </>
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
