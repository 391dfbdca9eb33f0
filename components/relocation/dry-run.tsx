import { SearchX } from "lucide-react";
import type { start } from "#app/(dashboard)/relocations/actions.ts";
import { Banner } from "#components/ui/banner.tsx";
import { Card } from "#components/ui/card.tsx";
import { cx } from "#components/ui/cx.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { Bound } from "#lib/domain/action-result.ts";
import type { PlannedRelocation } from "./relocation.ts";
import { StartRelocation } from "./start-relocation.tsx";
import { UnitTable } from "./unit-table.tsx";

export interface DryRunProps {
  readonly plan: PlannedRelocation;
  /** Starts it as it is shown. */
  readonly start: Bound<typeof start>;
}

/** What a relocation would do, before anything has been done. */
export function DryRun({ plan, start }: DryRunProps) {
  const { from, units, movingCount } = plan;
  if (units.length === 0) {
    return (
      <Card>
        <EmptyState
          description="None of your licenses or bundles is bound to it. Check the old address."
          icon={<SearchX />}
          title={`Nothing of yours is on ${from}`}
        />
      </Card>
    );
  }
  const startable = movingCount > 0 && plan.clashCount === 0;
  return (
    <div className="flex flex-col gap-5">
      <Obstruction plan={plan} />
      <div className={cx("grid items-start gap-5", startable && "lg:grid-cols-[minmax(0,1fr)_20rem]")}>
        <Card description="Nothing has been changed yet." flush title="Dry run">
          <UnitTable startable={startable} units={units} />
        </Card>
        {startable && (
          <Card title="Relocation">
            <StartRelocation action={start} plan={plan} />
          </Card>
        )}
      </div>
    </div>
  );
}

/** Why it cannot begin, and what to do about it. */
function Obstruction({ plan }: { readonly plan: PlannedRelocation }) {
  const { from, to, clashCount, movingCount } = plan;
  if (clashCount > 0) {
    const subject = clashCount === 1 ? "One product is" : `${clashCount} products are`;
    return (
      <Banner title={`${subject} on ${to} already`} tone="critical">
        An address can have one live license of a product, so nothing can be moved yet. Change the address of one of the
        two licenses, or terminate the one that is not needed any more; then refresh the preview.
      </Banner>
    );
  }
  if (movingCount > 0) return null;
  return (
    <Banner title="There is nothing to move now" tone="caution">
      Everything that is on {from} stays, for the reasons below.
    </Banner>
  );
}
