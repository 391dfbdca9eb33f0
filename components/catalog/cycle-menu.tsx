"use client";
import { Archive, ArchiveRestore, Pencil } from "lucide-react";
import { useState } from "react";
import type { editCycle, retireCycle } from "#app/(dashboard)/catalog/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { DropdownMenu } from "#components/ui/dropdown-menu.tsx";
import { MenuItem } from "#components/ui/menu-item.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import type { OwnerView } from "./catalog.ts";
import { CycleNamesDialog } from "./cycle-dialogs.tsx";
import type { CycleView } from "./describe-cycle.ts";

export interface CycleActions {
  readonly editCycle: typeof editCycle;
  readonly retireCycle: typeof retireCycle;
}

export interface CycleMenuProps {
  readonly owner: OwnerView;
  readonly cycle: CycleView;
  readonly actions: CycleActions;
}

/** What can be done with a cycle apart from its prices. */
export function CycleMenu({ owner, cycle, actions }: CycleMenuProps) {
  const [question, setQuestion] = useState<"edit" | "retire" | null>(null);
  const close = () => setQuestion(null);
  return (
    <>
      <DropdownMenu label={`Actions for ${cycle.name}`}>
        <MenuItem icon={<Pencil />} onSelect={() => setQuestion("edit")}>
          Edit cycle
        </MenuItem>
        <MenuItem icon={cycle.retired ? <ArchiveRestore /> : <Archive />} onSelect={() => setQuestion("retire")}>
          {cycle.retired ? "Restore cycle" : "Retire cycle"}
        </MenuItem>
      </DropdownMenu>
      {question === "edit" && (
        <CycleNamesDialog action={actions.editCycle} cycle={cycle} onClose={close} owner={owner} />
      )}
      {question === "retire" && <RetireCycle action={actions.retireCycle} cycle={cycle} onClose={close} />}
    </>
  );
}

interface RetireCycleProps {
  readonly cycle: CycleView;
  readonly action: typeof retireCycle;
  readonly onClose: () => void;
}

function RetireCycle({ cycle, action, onClose }: RetireCycleProps) {
  const kept = cycle.prices.reduce((sum, { reach }) => sum + reach.renewable + reach.ownPrice, 0);
  return (
    <ConfirmChange
      action={action}
      confirmLabel={cycle.retired ? "Restore" : "Retire"}
      cost={[{ label: "Go on renewing with it", value: numberText(kept) }]}
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
