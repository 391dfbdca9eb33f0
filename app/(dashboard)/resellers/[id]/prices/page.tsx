import { Tags } from "lucide-react";
import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import { ResellerHeader } from "#app/(dashboard)/resellers/[id]/header.tsx";
import type { PageProps } from "#app/page-props.ts";
import { OwnPriceFilters } from "#components/reseller/own-price-filters.tsx";
import { OwnPrices } from "#components/reseller/own-prices.tsx";
import { loadOwnPriceParams } from "#components/reseller/reseller-params.ts";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { isFiltered } from "#components/ui/list-params.ts";
import { NoMatch } from "#components/ui/no-match.tsx";
import { listResellerPrices } from "#lib/services/catalog/list-reseller-prices.ts";
import { saveOwnPrices } from "./actions.ts";

export default async function ResellerPricesPage({ params, searchParams }: PageProps<"id">) {
  const [{ id }, view] = await Promise.all([params, loadOwnPriceParams(searchParams)]);
  const looked = await requireReseller(id);
  const { ctx, path } = looked;
  const { resellerId, name } = looked.reseller;
  const { currency, rows } = await listResellerPrices(ctx, { resellerId });
  const q = view.q ?? "";
  const own = view.own !== null;
  const shown = rows.filter(
    (row) => row.ownerName.toLowerCase().includes(q.toLowerCase()) && (!own || row.own !== null),
  );
  return (
    <>
      <ResellerHeader of={looked} page="Prices" />
      <OwnPriceFilters ownCount={rows.filter((row) => row.own !== null).length} />
      <Card
        description={`Prices this reseller pays, in ${currency}. Leave empty for the list price.`}
        flush
        title="Prices"
      >
        {shown.length === 0 ? (
          <NoPrices currency={currency} href={`${path}/prices`} view={view} />
        ) : (
          <OwnPrices
            action={saveOwnPrices.bind(null, { resellerId })}
            currency={currency}
            resellerName={name}
            rows={shown}
          />
        )}
      </Card>
    </>
  );
}

interface NoPricesProps {
  readonly currency: string;
  readonly href: string;
  readonly view: { readonly q: string | null };
}

function NoPrices({ currency, href, view }: NoPricesProps) {
  return isFiltered(view) ? (
    <NoMatch
      clearHref={href}
      none={
        view.q === null
          ? "Remove the filter to see all prices."
          : "The search looks at any part of a product's or bundle's name."
      }
      title="No price matches"
      view={view}
    />
  ) : (
    <EmptyState
      action={<ButtonLink href="/catalog">Go to Catalog</ButtonLink>}
      description={`Nothing has a list price in ${currency}: add one in the catalog.`}
      icon={<Tags />}
      title="Nothing to buy yet"
    />
  );
}
