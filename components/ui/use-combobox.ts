"use client";
import { type ChangeEvent, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react";
import { type Suggestion, suggestionId } from "./suggestions.tsx";
import { type SearchAction, useTypedSearch } from "./use-typed-search.ts";

export interface ComboboxOptions {
  /** Of what is searched, another for each set of objects. */
  readonly name: string;
  /** A server action: some that match the text. Throws when there is no answer. */
  readonly search: SearchAction<Suggestion>;
  /** What is searched for. */
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly onChoose: (chosen: Suggestion) => void;
  /** Enter, with no suggestion to choose; without it, Enter sends the form. */
  readonly onEnter?: () => void;
  readonly onClose?: () => void;
}

/** An input that suggests what is typed, by the pattern of WAI-ARIA; rendered with `Suggestions`. */
export function useCombobox({ name, search, text, onType, onChoose, onEnter, onClose }: ComboboxOptions) {
  const listId = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  const [pointed, setPointed] = useState(-1);
  const [entered, setEntered] = useState(false);
  const suggestions = useTypedSearch(name, open ? search : null, text);
  const { found, searching } = suggestions;
  const index = Math.min(pointed, found.length - 1);

  function close() {
    setOpen(false);
    setPointed(-1);
    setEntered(false);
    onClose?.();
  }

  function choose(chosen: Suggestion) {
    close();
    onChoose(chosen);
  }

  function enter() {
    const option = found[index];
    if (option) choose(option);
    else onEnter?.();
  }

  // Enter came before the answer.
  useEffect(() => {
    if (!entered || searching) return;
    setEntered(false);
    enter();
  });

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const last = found.length - 1;
      if (!open) setOpen(true);
      else if (event.key === "ArrowDown") setPointed(index === last ? 0 : index + 1);
      else setPointed(index <= 0 ? last : index - 1);
    } else if (event.key === "Enter" && open && (onEnter || searching || found[index])) {
      event.preventDefault();
      if (searching && text !== "") setEntered(true);
      else enter();
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      close();
    }
  }

  return {
    inputRef,
    close,
    input: {
      "aria-activedescendant": index >= 0 ? suggestionId(listId, index) : undefined,
      "aria-autocomplete": "list",
      "aria-controls": listId,
      "aria-expanded": open,
      autoComplete: "off",
      maxLength: 200,
      onBlur: close,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
        setOpen(true);
        setPointed(target.value.trim() === "" ? -1 : 0);
        setEntered(false);
        onType(target.value);
      },
      onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
        if (!open) currentTarget.select();
        setOpen(true);
      },
      onFocus: ({ target }: { readonly target: HTMLInputElement }) => target.select(),
      onKeyDown,
      ref: inputRef,
      role: "combobox",
      spellCheck: false,
    } as const,
    /** Null: closed. */
    list: open ? { ...suggestions, anchorRef: inputRef, index, listId, onChoose: choose, onPoint: setPointed } : null,
  };
}
