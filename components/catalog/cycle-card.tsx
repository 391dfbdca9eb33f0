"use client";
import { Archive, ArchiveRestore, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { DropdownMenu } from "#components/ui/dropdown-menu.tsx";
import { MenuItem, MenuSeparator } from "#components/ui/menu-item.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { CycleNamesInput, CycleView, OwnerView, PriceInput, PriceRef, RetireInput } from "./catalog.ts";
import { CycleNamesDialog } from "./cycle-dialogs.tsx";
import { monthsText } from "./months-text.ts";
import { PriceDialog } from "./price-dialog.tsx";
import { PriceTable } from "./price-table.tsx";

export interface CycleActions {
  readonly editCycle: OnceAction<CycleNamesInput>;
  readonly retireCycle: OnceAction<RetireInput>;
  readonly setPrice: OnceAction<PriceInput>;
  readonly removePrice: OnceAction<PriceRef>;
}

export interface CycleCardProps {
  readonly owner: OwnerView;
  readonly cycle: CycleView;
  readonly currencies: readonly string[];
  readonly withMarkup: boolean;
  readonly actions: CycleActions;
}

type Question =
  | { readonly kind: "edit" | "retire" | "add" }
  | { readonly kind: "change" | "remove"; readonly currency: string };

/** One term with its list prices, and all that can be done with them. */
export function CycleCard({ owner, cycle, currencies, withMarkup, actions }: CycleCardProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const close = () => setQuestion(null);
  // By its currency, not as it was when the question was asked: somebody else may change it meanwhile.
  const priceIn = (currency: string) => cycle.prices.find((price) => price.currency === currency) ?? null;
  const dialog = { owner, cycle, onClose: close };
  const complete = currencies.every((code) => cycle.prices.some(({ currency }) => currency === code));
  return (
    <Card
      actions={
        <Allowed to="catalog:write">
          {!complete && (
            <Button
              aria-label={`Add price for ${cycle.name}`}
              icon={<Plus aria-hidden className="size-3.5" />}
              onClick={() => setQuestion({ kind: "add" })}
              size="sm"
            >
              Add price
            </Button>
          )}
          <DropdownMenu label={`Actions for ${cycle.name}`}>
            <MenuItem icon={<Pencil aria-hidden />} onSelect={() => setQuestion({ kind: "edit" })}>
              Edit cycle…
            </MenuItem>
            {cycle.prices.length > 0 && <MenuSeparator />}
            {cycle.prices.map((price) => (
              <MenuItem
                icon={<Trash2 aria-hidden />}
                key={price.currency}
                onSelect={() => setQuestion({ kind: "remove", currency: price.currency })}
              >
                Remove price in {price.currency}…
              </MenuItem>
            ))}
            <MenuSeparator />
            <MenuItem
              icon={cycle.retired ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
              onSelect={() => setQuestion({ kind: "retire" })}
            >
              {cycle.retired ? "Restore cycle…" : "Retire cycle…"}
            </MenuItem>
          </DropdownMenu>
        </Allowed>
      }
      description={
        <span className="flex flex-wrap items-center gap-x-2">
          {[
            monthsText(cycle.months),
            cycle.providerCycle !== null && `provider's ${cycle.providerCycle}`,
            cycle.cost !== null && `costs us ${moneyText(cycle.cost.price, cycle.cost.currency)}`,
          ]
            .filter(Boolean)
            .join(" · ")}
          {cycle.retired && <Badge>Retired</Badge>}
        </span>
      }
      flush
      title={cycle.name}
    >
      <PriceTable
        coreMetered={owner.coreMetered}
        cycle={cycle}
        onChange={({ currency }) => setQuestion({ kind: "change", currency })}
        withMarkup={withMarkup}
      />
      {question?.kind === "edit" && <CycleNamesDialog {...dialog} action={actions.editCycle} />}
      {question?.kind === "retire" && <RetireCycle {...dialog} action={actions.retireCycle} />}
      {question?.kind === "add" && (
        <PriceDialog {...dialog} action={actions.setPrice} currencies={currencies} price={null} />
      )}
      {question?.kind === "change" && (
        <PriceDialog {...dialog} action={actions.setPrice} currencies={currencies} price={priceIn(question.currency)} />
      )}
      {question?.kind === "remove" && (
        <ConfirmChange
          action={actions.removePrice}
          confirmLabel="Remove"
          description={`${owner.name}, ${cycle.name}, can no longer be bought in ${question.currency}. Resellers' own prices stay.`}
          done={`Price in ${question.currency} removed`}
          input={{
            cycle_id: cycle.cycleId,
            currency: question.currency,
            seenVersion: priceIn(question.currency)?.version ?? "",
          }}
          onClose={close}
          title={`Remove the price in ${question.currency}?`}
          tone="critical"
        />
      )}
    </Card>
  );
}

interface RetireCycleProps {
  readonly cycle: CycleView;
  readonly action: OnceAction<RetireInput>;
  readonly onClose: () => void;
}

function RetireCycle({ cycle, action, onClose }: RetireCycleProps) {
  const kept = cycle.prices.reduce((sum, { reach }) => sum + reach.renewable + reach.ownPrice, 0);
  return (
    <ConfirmChange
      action={action}
      confirmLabel={cycle.retired ? "Restore" : "Retire"}
      cost={[{ label: "Go on renewing with it", value: kept.toLocaleString("en-US") }]}
      description={
        cycle.retired
          ? "It can be bought again at its prices."
          : "It can no longer be bought. Those who have it keep renewing at its prices. You can restore it."
      }
      done={cycle.retired ? "Cycle restored" : "Cycle retired"}
      input={{ id: cycle.cycleId, retired: !cycle.retired }}
      onClose={onClose}
      title={cycle.retired ? `Restore ${cycle.name}?` : `Retire ${cycle.name}?`}
    />
  );
}
