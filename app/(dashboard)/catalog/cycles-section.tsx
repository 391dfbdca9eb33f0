import { addCycle, editCycle, retireCycle, savePrices } from "#app/(dashboard)/catalog/actions.ts";
import type { CycleView, OwnerView } from "#components/catalog/catalog.ts";
import { AddCycle } from "#components/catalog/cycle-dialogs.tsx";
import { ListPrices } from "#components/catalog/list-prices.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Card } from "#components/ui/card.tsx";

const actions = { editCycle, retireCycle, savePrices };

export interface CyclesSectionProps {
  readonly owner: OwnerView;
  readonly cycles: readonly CycleView[];
  readonly currencies: readonly string[];
}

/** What a product or a bundle is sold for. */
export function CyclesSection({ owner, cycles, currencies }: CyclesSectionProps) {
  const isOnSale = cycles.length > 0;
  return (
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
        <ListPrices actions={actions} currencies={currencies} cycles={cycles} owner={owner} />
      ) : (
        <p className="text-sm text-text-muted">
          It is not on sale yet: a cycle says for how many months it is sold, and at what price.
        </p>
      )}
    </Card>
  );
}
