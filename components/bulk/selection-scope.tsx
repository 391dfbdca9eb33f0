"use client";
import { createContext, type ReactNode, use, useEffect, useId, useMemo, useRef } from "react";
import { CheckboxControl } from "#components/ui/checkbox.tsx";
import { isShortcutEvent } from "#components/ui/shortcut-event.ts";
import {
  isSelected,
  leaveOtherMatch,
  type SelectionPage,
  selectPage,
  selectRow,
  useSelection,
} from "./selection-store.ts";

/** Marks what holds the bar's buttons. */
export const SELECTION_ACTIONS = "data-selection-actions";

export function findFirstAction(): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[${SELECTION_ACTIONS}] button`);
}

const SelectionPageContext = createContext<SelectionPage | null>(null);

export function useSelectionPage(): SelectionPage {
  const page = use(SelectionPageContext);
  if (page === null) throw new Error("there is no SelectionScope around this");
  return page;
}

export interface SelectionScopeProps extends SelectionPage {
  readonly children: ReactNode;
}

/** Around a list whose rows can be selected. x turns the row that has the focus; from there, Tab goes to the bar. */
export function SelectionScope({ noun, ids, owners, search, children }: SelectionScopeProps) {
  // The server sends a new array each time; what is in it decides.
  const key = ids.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for `ids` and their `owners`
  const page = useMemo(() => ({ noun, ids, search, ...(owners && { owners }) }), [noun, key, search]);

  useEffect(() => leaveOtherMatch({ noun, search }), [noun, search]);

  useEffect(() => {
    let turned: Element | null = null;
    function onKeyDown(event: KeyboardEvent) {
      const { activeElement } = document;
      if (event.key === "x" && isShortcutEvent(event)) {
        const box = activeElement?.closest('[role="row"]')?.querySelector<HTMLElement>("[data-select-row]");
        box?.click();
        turned = box ? activeElement : null;
      } else if (event.key === "Tab" && turned !== null) {
        const bar = findFirstAction();
        const [from, to] = event.shiftKey ? [bar, turned] : [turned, bar];
        if (from === null || from !== activeElement || !(to instanceof HTMLElement)) return;
        event.preventDefault();
        to.focus();
      }
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  return <SelectionPageContext value={page}>{children}</SelectionPageContext>;
}

/** In each row's first cell. `label`: the row's name, e.g. `lic_12`. */
export function SelectRow({ id, label }: { readonly id: number; readonly label: string }) {
  const page = useSelectionPage();
  const boxId = useId();
  const selected = isSelected(useSelection(page.noun), id, page);
  return (
    // The label makes all of the cell a place to press.
    <label className="select-box" data-row-control="" htmlFor={boxId}>
      <CheckboxControl
        aria-label={`Select ${label}`}
        checked={selected}
        data-select-row=""
        id={boxId}
        onChange={({ target, nativeEvent }) =>
          selectRow(id, target.checked, page, { range: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey })
        }
      />
    </label>
  );
}

/** In the head: all rows of the page, or none. */
export function SelectPage() {
  const page = useSelectionPage();
  const boxId = useId();
  const selection = useSelection(page.noun);
  const ref = useRef<HTMLInputElement>(null);
  const count = page.ids.filter((id) => isSelected(selection, id, page)).length;
  const some = count > 0 && count < page.ids.length;
  useEffect(() => {
    if (ref.current !== null) ref.current.indeterminate = some;
  }, [some]);
  return (
    <>
      <label className="select-box" htmlFor={boxId}>
        <CheckboxControl
          aria-label="Select all of this page"
          checked={count > 0 && !some}
          id={boxId}
          onChange={({ target }) => selectPage(target.checked, page)}
          ref={ref}
        />
      </label>
      <label className="py-2 md:hidden" htmlFor={boxId}>
        All on this page
      </label>
    </>
  );
}
