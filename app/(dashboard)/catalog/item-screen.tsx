import type { ReactNode } from "react";
import { addCycle, editCycle, retireCycle, savePrices } from "#app/(dashboard)/catalog/actions.ts";
import type { OwnerView } from "#components/catalog/catalog.ts";
import { AddCycle } from "#components/catalog/cycle-dialogs.tsx";
import { describeCycle } from "#components/catalog/describe-cycle.ts";
import { ListPrices } from "#components/catalog/list-prices.tsx";
import { NextRenewals } from "#components/catalog/next-renewals.tsx";
import { RetireButton, type RetireButtonProps } from "#components/catalog/retire-button.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader, type PageHeaderProps } from "#components/ui/page-header.tsx";
import type { CatalogProduct } from "#lib/services/catalog/get-product.ts";
import { listPriceCurrencies } from "#lib/services/catalog/list-catalog.ts";
import { getPriceReach } from "#lib/services/catalog/price-reach.ts";
import type { ServiceContext } from "#lib/services/context.ts";

const actions = { editCycle, retireCycle, savePrices };

export interface ItemScreenProps {
  readonly ctx: ServiceContext;
  readonly item: Pick<CatalogProduct, "id" | "name" | "description" | "retired" | "cycles">;
  readonly owner: OwnerView;
  readonly href: string;
  readonly trail: PageHeaderProps["trail"];
  readonly retire: RetireButtonProps["action"];
  /** What was bought of it and still runs. `count`: default by the reach of its prices. */
  readonly kept: { readonly label: string; readonly count?: number };
  /** Beside the cycles. */
  readonly children: ReactNode;
}

/** A product or a bundle with its cycles, and whom their prices reach. */
export async function ItemScreen({ ctx, item, owner, href, trail, retire, kept, children }: ItemScreenProps) {
  const { id, name, description, retired, cycles } = item;
  const [{ reach, next }, currencies] = await Promise.all([
    getPriceReach(ctx, { cycleIds: cycles.map((cycle) => cycle.id) }),
    listPriceCurrencies(ctx),
  ]);
  const reached = reach.reduce((sum, { renewable, ownPrice }) => sum + renewable + ownPrice, 0);
  const isOnSale = cycles.length > 0;
  return (
    <>
      <PageHeader
        actions={
          <Allowed to="catalog:write">
            <RetireButton action={retire} id={id} kept={{ count: reached, ...kept }} name={name} retired={retired} />
            <ButtonLink href={`${href}/edit`}>Edit</ButtonLink>
          </Allowed>
        }
        badge={retired && <Badge>Retired</Badge>}
        description={description}
        heading={name}
        title={`${name} · Catalog`}
        trail={trail}
      />
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <Card
          actions={
            <Allowed to="catalog:write">
              <AddCycle action={addCycle} currencies={currencies} owner={owner} primary={!isOnSale} />
            </Allowed>
          }
          description={
            isOnSale ? "Type, or paste from a spreadsheet. A cycle without a price is not sold in that currency." : null
          }
          flush={isOnSale}
          title="Cycles and prices"
        >
          {isOnSale ? (
            <ListPrices
              actions={actions}
              currencies={currencies}
              cycles={cycles.map((cycle) => describeCycle(cycle, reach))}
              owner={owner}
            />
          ) : (
            <p className="text-sm text-text-muted">
              It is not on sale yet: a cycle says for how many months it is sold, and at what price.
            </p>
          )}
        </Card>
        <div className="flex min-w-0 flex-col gap-5">
          {children}
          <NextRenewals cycles={cycles} renewals={next} />
        </div>
      </div>
    </>
  );
}
