"use client";
import { type KeyboardEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { countText } from "#components/ui/count-text.ts";
import { TextField } from "#components/ui/field.tsx";
import { parsePercent } from "#lib/domain/markup.ts";
import { changeByPercent, type GridCell } from "./grid.ts";
import type { Drafts } from "./use-drafts.ts";

export interface PercentToolProps {
  /** What it changes. */
  readonly cells: readonly GridCell[];
  readonly isSelection: boolean;
  readonly drafts: Pick<Drafts, "textOf" | "set">;
}

/** Changes many amounts by one percentage; empty ones begin at what holds for them. */
export function PercentTool({ cells, isSelection, drafts }: PercentToolProps) {
  const [typed, setTyped] = useState("");
  const hundredths = parsePercent(typed.trim().replace(/^[−–]/, "-").replace(/^\+/, "").replace(/\s*%$/, ""));
  function apply() {
    if (hundredths === null) return;
    const texts = cells.flatMap((cell) => {
      const changed = changeByPercent(drafts.textOf(cell) || (cell.fallback ?? ""), cell.currency, hundredths);
      return changed === null ? [] : [[cell.id, changed]];
    });
    drafts.set(Object.fromEntries(texts));
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    apply();
  }
  return (
    <div className="flex items-end gap-2">
      <TextField
        className="tabular w-24"
        error={typed !== "" && hundredths === null ? "A percentage such as −15." : null}
        inputMode="text"
        label="Change by %"
        name="percent"
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKeyDown}
        optional
        placeholder="−15"
        value={typed}
      />
      <Button disabled={hundredths === null} onClick={apply}>
        {isSelection ? `Change ${countText(cells.length, "selected cell", "selected cells")}` : "Change all"}
      </Button>
      <p className="hidden pb-2 text-text-muted text-xs sm:block">Rounded half up to the smallest coin.</p>
    </div>
  );
}
