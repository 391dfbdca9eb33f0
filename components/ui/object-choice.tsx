"use client";
import { ChevronsUpDown, X } from "lucide-react";
import { useEffect, useState } from "react";
import { controlClassName, controlHeightClassName } from "./control-style.ts";
import { cx } from "./cx.ts";
import { IconButton } from "./icon-button.tsx";
import { type Suggestion, Suggestions, type SuggestionsProps } from "./suggestions.tsx";
import { useCombobox } from "./use-combobox.ts";
import type { SearchAction } from "./use-typed-search.ts";

export interface ChosenObject {
  /** Null: the URL names none. */
  readonly id: number | null;
  readonly name: string;
}

export interface ObjectChoiceProps extends Pick<SuggestionsProps, "noun" | "tip"> {
  /** Accessible name, e.g. "Reseller". */
  readonly label: string;
  readonly chosen: ChosenObject | null;
  /** A server action: some with this text. Throws when there is no answer. */
  readonly search: SearchAction<Suggestion>;
  /** Null: all of them. */
  readonly onChoose: (id: number | null) => void;
}

/**
 * One object of thousands, as a list's filter: emptied and sent with Enter, it stands for all;
 * Escape, and leaving it, brings back what was chosen.
 */
export function ObjectChoice({ label, noun, tip, chosen, search, onChoose }: ObjectChoiceProps) {
  /** Null: nothing yet. */
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed?.trim() ?? "";
  const { inputRef, input, list, close } = useCombobox({
    name: noun[1],
    search,
    text,
    onType: setTyped,
    onChoose: ({ id }) => choose(id),
    onEnter: () => {
      if (typed !== null && text === "") choose(null);
    },
    onClose: () => setTyped(null),
  });

  // The name goes as soon as another one is typed.
  const shown = typed ?? chosen?.name ?? "";
  useEffect(() => {
    if (typed === null && shown !== "" && document.activeElement === inputRef.current) inputRef.current?.select();
  }, [typed, shown, inputRef]);

  function choose(id: number | null) {
    close();
    if (id === null ? chosen !== null : id !== chosen?.id) onChoose(id);
  }

  return (
    <div className="relative w-56 max-md:w-full">
      <input
        {...input}
        aria-label={label}
        className={cx(controlClassName, controlHeightClassName, "pr-9")}
        placeholder={`All ${noun[1]}`}
        value={shown}
      />
      {chosen === null ? (
        <ChevronsUpDown className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-text-muted" />
      ) : (
        <span className="absolute inset-y-0 right-0.5 flex items-center">
          <IconButton
            icon={<X />}
            label={`Show all ${noun[1]}`}
            onClick={() => {
              inputRef.current?.focus();
              choose(null);
            }}
          />
        </span>
      )}
      {list && <Suggestions {...list} noun={noun} tip={tip} />}
    </div>
  );
}
