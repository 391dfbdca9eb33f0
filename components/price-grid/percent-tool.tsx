"use client";
import { type KeyboardEvent, useId, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { FieldError } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { parsePercent } from "#lib/domain/markup.ts";
import { changeByPercent, type GridCell } from "./grid.ts";
import type { Drafts } from "./use-drafts.ts";

export interface PercentToolProps {
  /** What it changes. */
  readonly cells: readonly GridCell[];
  /** On the button, e.g. "Change all". */
  readonly label: string;
  readonly drafts: Pick<Drafts, "textOf" | "set">;
}

/** Changes many amounts by one percentage; empty ones begin at what holds for them. */
export function PercentTool({ cells, label, drafts }: PercentToolProps) {
  const errorId = useId();
  const [typed, setTyped] = useState("");
  const hundredths = parsePercent(typed.trim().replace(/^[−–]/, "-").replace(/^\+/, "").replace(/\s*%$/, ""));
  const isInvalid = typed !== "" && hundredths === null;
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
    <div className="flex flex-wrap items-center gap-2" data-screen-only="">
      <Input
        aria-describedby={isInvalid ? errorId : undefined}
        aria-invalid={isInvalid || undefined}
        aria-label="Change by %"
        autoComplete="off"
        className="tabular w-32!"
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKeyDown}
        placeholder="Change by"
        value={typed}
      />
      <span aria-hidden className="text-sm text-text-muted">
        %
      </span>
      <Button disabled={hundredths === null} onClick={apply} title="Rounds half up to the currency's smallest unit">
        {label}
      </Button>
      <FieldError id={errorId}>{isInvalid ? "Type a percentage such as −15." : null}</FieldError>
    </div>
  );
}
