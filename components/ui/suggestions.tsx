"use client";
import { type RefObject, useEffect, useRef } from "react";
import { countText } from "#lib/domain/count-text.ts";
import { cx } from "./cx.ts";
import { placePopover, roomBeside } from "./place-popover.ts";
import type { TypedSearch } from "./use-typed-search.ts";

const MAX_HEIGHT_PX = 288;

/** An object that is offered for choice. */
export interface Suggestion {
  readonly id: number;
  readonly title: string;
  readonly detail: string;
}

export interface SuggestionsProps extends TypedSearch<Suggestion> {
  /** What is offered, e.g. "reseller", "resellers". */
  readonly noun: readonly [one: string, many: string];
  /** When nothing is found: what else to type. */
  readonly tip: string;
  readonly listId: string;
  /** The input, which keeps the focus. */
  readonly anchorRef: RefObject<HTMLInputElement | null>;
  /** Which of those found Enter would choose; -1: none. */
  readonly index: number;
  readonly onPoint: (index: number) => void;
  readonly onChoose: (chosen: Suggestion) => void;
}

/** For the input's `aria-activedescendant`. */
export function suggestionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** What a combobox (`useCombobox`) has found, below its input. */
export function Suggestions(props: SuggestionsProps) {
  const { noun, listId, anchorRef, found, index, onPoint, onChoose } = props;
  const ref = useRef<HTMLDivElement>(null);

  useEffect(() => {
    ref.current?.showPopover();
  }, []);

  useEffect(() => {
    const reveal = () => anchorRef.current?.scrollIntoView({ block: "nearest" });
    reveal();
    window.addEventListener("resize", reveal);
    return () => window.removeEventListener("resize", reveal);
  }, [anchorRef]);

  // Placed anew with every rendering, whose list is another; and as the page moves below it.
  useEffect(() => {
    const place = () => {
      if (ref.current === null || anchorRef.current === null) return;
      ref.current.style.width = `${anchorRef.current.offsetWidth}px`;
      ref.current.style.maxHeight = `${Math.min(MAX_HEIGHT_PX, roomBeside(anchorRef.current))}px`;
      placePopover(ref.current, anchorRef.current, "bottom", "start");
    };
    place();
    window.addEventListener("resize", place);
    window.visualViewport?.addEventListener("resize", place);
    window.addEventListener("scroll", place, { passive: true });
    return () => {
      window.removeEventListener("resize", place);
      window.visualViewport?.removeEventListener("resize", place);
      window.removeEventListener("scroll", place);
    };
  });

  useEffect(() => {
    document.getElementById(suggestionId(listId, index))?.scrollIntoView({ block: "nearest" });
  }, [listId, index]);

  return (
    <div
      className="enter-fade fixed inset-auto m-0 min-w-72 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg bg-surface-raised p-1 text-sm text-text shadow-overlay"
      onPointerDown={(event) => event.preventDefault()}
      popover="manual"
      ref={ref}
    >
      <p className={cx("px-2 py-1.5 text-text-muted", found.length > 0 && "sr-only")} role="status">
        {statusText(props)}
      </p>
      <div aria-label={noun[1]} id={listId} role="listbox" tabIndex={-1}>
        {found.map((one, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus, and its keys choose
          <div
            aria-selected={position === index}
            className={cx(
              "cursor-pointer rounded-md px-2 py-1 pointer-coarse:py-2",
              position === index && "bg-surface-selected",
            )}
            id={suggestionId(listId, position)}
            key={one.id}
            onClick={() => onChoose(one)}
            onPointerMove={() => onPoint(position)}
            role="option"
            tabIndex={-1}
          >
            <span className="block truncate">{one.title}</span>
            <span className="block truncate text-text-muted text-xs">{one.detail}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

function statusText({ noun, tip, found, searching, failed }: SuggestionsProps): string {
  const [one, many] = noun;
  if (searching) return "Searching…";
  if (failed) return `The ${many} could not be searched. Check your connection and type on.`;
  return found.length === 0 ? `Nothing found. ${tip}` : countText(found.length, one, many);
}
