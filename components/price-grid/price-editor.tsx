"use client";
import { type ReactNode, useState } from "react";
import type { savePrices } from "#app/(dashboard)/catalog/actions.ts";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { usePermission } from "#components/shell/permissions.tsx";
import { Banner } from "#components/ui/banner.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Segmented } from "#components/ui/segmented.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useIsPhone } from "#components/ui/use-is-phone.ts";
import type { InputOf } from "#lib/domain/action-result.ts";
import { countText } from "#lib/domain/count-text.ts";
import { problemSentence } from "#lib/domain/text.ts";
import { amountOf, type GridCell, selectedCells } from "./grid.ts";
import { PercentTool } from "./percent-tool.tsx";
import { type GridRow, PriceGrid, type PriceGridProps } from "./price-grid.tsx";
import { useDrafts } from "./use-drafts.ts";
import { useSelection } from "./use-selection.ts";

export type TextOf = (id: string) => string;

export interface PriceEditorProps extends Pick<PriceGridProps, "label" | "heads" | "columns"> {
  readonly rowsOf: (textOf: TextOf) => readonly GridRow[];
  readonly toChanges: (changedIds: ReadonlySet<string>, textOf: TextOf) => InputOf<typeof savePrices>["changes"];
  readonly action: typeof savePrices;
  /** Whom the typed prices meet. */
  readonly reach: (changedIds: ReadonlySet<string>) => string | null;
  /** Beside the percentage. */
  readonly tools?: ReactNode;
  /** What its columns are, e.g. "Currency": phones show the one that is chosen. Else each row is a card there. */
  readonly columnChoice?: string;
}

/** A grid of prices, saved together or not at all. */
export function PriceEditor({ rowsOf, toChanges, action, reach, tools, columnChoice, ...grid }: PriceEditorProps) {
  const readOnly = !usePermission("catalog:write");
  const cells = rowsOf(() => "").flatMap((row) => row.cells.filter((cell) => cell !== null));
  const byId = new Map(cells.map((cell) => [cell.id, cell]));
  const drafts = useDrafts(cells);
  const textOf = (id: string) => {
    const cell = byId.get(id);
    return cell === undefined ? "" : drafts.textOf(cell);
  };
  const rows = rowsOf(textOf);
  const { selection, select } = useSelection(rows);
  const changed = new Set(drafts.changedIds);
  const changes = toChanges(changed, textOf);
  const selected = selectedCells(rows, selection);
  const column = grid.columns[selection.focus.column] ?? "";
  const isPhone = useIsPhone();
  const [saveCount, setSaveCount] = useState(0);
  const percentScope =
    selected.length > 1
      ? { cells: selected, label: `Change ${countText(selected.length, "selected cell", "selected cells")}` }
      : isPhone && columnChoice
        ? {
            cells: rows.flatMap((row) => row.cells[selection.focus.column] ?? []),
            label: `Change all in ${column}`,
          }
        : { cells, label: "Change all" };
  const belowCost = cells.filter((cell) => changed.has(cell.id) && isBelowCost(cell, textOf(cell.id)));
  const { send, pending, failure } = useSubmission(
    action,
    () => {
      toast({ title: countText(changes.length, "price saved", "prices saved"), tone: "positive" });
      drafts.release();
      setSaveCount((count) => count + 1);
    },
    { onFailure: (failed) => failed.code === "parameters_invalid" && drafts.refuse(failed.fields) },
  );
  const isAboutCells = failure?.code === "parameters_invalid" || failure?.code === "changed_meanwhile";
  return (
    <div className="price-editor flex flex-col">
      {!readOnly && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 pt-1 pb-3">
          <PercentTool drafts={drafts} key={saveCount} {...percentScope} />
          {tools}
        </div>
      )}
      {columnChoice && grid.columns.length > 1 && (
        <div className="px-4 pb-2 md:hidden">
          <Segmented
            label={columnChoice}
            onValueChange={(value) => {
              const point = { row: selection.focus.row, column: grid.columns.indexOf(value) };
              select({ focus: point, anchor: point });
            }}
            options={grid.columns.map((column) => ({ value: column, label: column }))}
            value={column}
          />
        </div>
      )}
      <PriceGrid
        {...grid}
        columnwise={columnChoice !== undefined}
        drafts={drafts}
        onSelect={select}
        readOnly={readOnly}
        rows={rows}
        selection={selection}
      />
      {/* Below the grid, not around it: browsers lose what a form within a form sends, as a dialog of a row does. */}
      <form
        className="flex flex-col gap-3 px-4 has-[>:nth-child(2)]:py-4 has-[[role=alert]>*]:py-4"
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          const allowed = new FormData(event.currentTarget).has("allow_below_cost");
          if (changes.length > 0) void send({ changes, allow_below_cost: allowed });
        }}
      >
        {drafts.changedMeanwhile.length > 0 && (
          <Banner title="Another administrator has changed prices meanwhile" tone="caution">
            <ul>
              {drafts.changedMeanwhile.map(({ id, label, stored }) => (
                <li key={id}>
                  {label} is now {stored === "" ? "empty" : stored}
                  {changed.has(id) && `; you typed ${textOf(id) || "nothing"}`}.
                </li>
              ))}
            </ul>
            Save again to replace what you typed over; the rest stays.
          </Banner>
        )}
        <div role="alert">
          {drafts.problems.length > 0 && (
            <Banner title="Nothing was saved: check these amounts" tone="critical">
              <ul>
                {drafts.problems.map(({ cell, message }) => (
                  <li key={cell.id}>{problemSentence(cell.label, message)}</li>
                ))}
              </ul>
            </Banner>
          )}
        </div>
        {failure !== null && !isAboutCells && <SubmissionError failure={failure} refusalNote="No price was saved." />}
        {belowCost.length > 0 && (
          <Checkbox
            hint={belowCost.map(({ label }) => label).join("; ")}
            label={`Sell ${countText(belowCost.length, "price", "prices")} below cost`}
            name="allow_below_cost"
          />
        )}
        {changes.length > 0 && (
          <div className="flex flex-wrap items-center justify-end gap-3">
            <p className="mr-auto text-sm text-text-muted" role="status">
              {reach(changed) ?? "Nothing renews at these prices yet."} Past charges stay as they are.
            </p>
            <Button disabled={pending} onClick={drafts.discard}>
              Discard
            </Button>
            <Button loading={pending} type="submit" variant="primary">
              Save {countText(changes.length, "price", "prices")}
            </Button>
          </div>
        )}
      </form>
    </div>
  );
}

function isBelowCost({ cost, currency }: GridCell, text: string): boolean {
  const amount = amountOf(text, currency);
  return amount !== null && cost !== null && amount < cost;
}
