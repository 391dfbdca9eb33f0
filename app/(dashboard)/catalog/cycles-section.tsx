import { addCycle, editCycle, retireCycle, savePrices } from "#app/(dashboard)/catalog/actions.ts";
import { AddCycle } from "#components/catalog/add-cycle.tsx";
import type { CycleView, OwnerView } from "#components/catalog/catalog.ts";
import { ListPrices } from "#components/catalog/list-prices.tsx";
import { Allowed } from "#components/shell/permissions.tsx";

const actions = { editCycle, retireCycle, savePrices };

export interface CyclesSectionProps {
  readonly owner: OwnerView;
  readonly cycles: readonly CycleView[];
  readonly currencies: readonly string[];
}

/** What a product or a bundle is sold for. */
export function CyclesSection({ owner, cycles, currencies }: CyclesSectionProps) {
  return (
    <section aria-labelledby="cycles" className="flex min-w-0 flex-col gap-4">
      <div className="flex items-center justify-between gap-4">
        <h2 className="font-semibold text-lg" id="cycles">
          Cycles and prices
        </h2>
        <Allowed to="catalog:write">
          {" "}
          <AddCycle action={addCycle} currencies={currencies} owner={owner} primary={cycles.length === 0} />
        </Allowed>
      </div>
      {cycles.length === 0 ? (
        <p className="text-sm text-text-muted">
          It is not on sale yet: a cycle says for how many months it is sold, and at what price.
        </p>
      ) : (
        <ListPrices actions={actions} currencies={currencies} cycles={cycles} owner={owner} />
      )}
    </section>
  );
}
