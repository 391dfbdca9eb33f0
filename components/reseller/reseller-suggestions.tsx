"use client";
import { type RefObject, useEffect, useRef } from "react";
import { cx } from "#components/ui/cx.ts";
import { placePopover } from "#components/ui/place-popover.ts";
import type { TypedSearch } from "#components/ui/use-typed-search.ts";

export interface FoundReseller {
  readonly id: number;
  readonly name: string;
  readonly email: string;
}

export interface ResellerSuggestionsProps extends TypedSearch<FoundReseller> {
  readonly listId: string;
  /** The input, which keeps the focus. */
  readonly anchorRef: RefObject<HTMLInputElement | null>;
  /** Which of those found Enter would choose; -1: none. */
  readonly index: number;
  readonly onPoint: (index: number) => void;
  readonly onChoose: (resellerId: number) => void;
}

/** For the input's `aria-activedescendant`. */
export function suggestionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** What a ResellerChoice has found, below its input. */
export function ResellerSuggestions(props: ResellerSuggestionsProps) {
  const { listId, anchorRef, found, index, onPoint, onChoose } = props;
  const ref = useRef<HTMLDivElement>(null);

  useEffect(() => {
    ref.current?.showPopover();
  }, []);

  // Placed anew with every rendering, whose list is another; and as the page moves below it.
  useEffect(() => {
    const place = () => {
      if (ref.current && anchorRef.current) placePopover(ref.current, anchorRef.current, "bottom", "start");
    };
    place();
    window.addEventListener("resize", place);
    window.addEventListener("scroll", place, { passive: true });
    return () => {
      window.removeEventListener("resize", place);
      window.removeEventListener("scroll", place);
    };
  });

  useEffect(() => {
    document.getElementById(suggestionId(listId, index))?.scrollIntoView({ block: "nearest" });
  }, [listId, index]);

  return (
    <div
      className="enter-fade fixed inset-auto m-0 max-h-72 w-72 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg bg-surface-raised p-1 text-sm text-text shadow-overlay"
      onPointerDown={(event) => event.preventDefault()}
      popover="manual"
      ref={ref}
    >
      <p className={cx("px-2 py-1.5 text-text-muted", found.length > 0 && "sr-only")} role="status">
        {statusText(props)}
      </p>
      <div aria-label="Resellers" id={listId} role="listbox" tabIndex={-1}>
        {found.map(({ id, name, email }, position) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus, and its keys choose
          <div
            aria-selected={position === index}
            className={cx(
              "cursor-pointer rounded-md px-2 py-1 pointer-coarse:py-2",
              position === index && "bg-surface-selected",
            )}
            id={suggestionId(listId, position)}
            key={id}
            onClick={() => onChoose(id)}
            onPointerMove={() => onPoint(position)}
            role="option"
            tabIndex={-1}
          >
            <span className="block truncate">{name}</span>
            <span className="block truncate text-text-muted text-xs">{email}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

function statusText({ found, searching, failed }: TypedSearch<FoundReseller>): string {
  if (searching) return "Searching…";
  if (failed) return "Resellers could not be searched. Check your connection and type on.";
  if (found.length === 0) return "Nothing found. Try a part of a name or an email address.";
  return found.length === 1 ? "1 reseller" : `${found.length} resellers`;
}
