"use client";
import { ExternalLink, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { controlClassName, controlHeightClassName } from "#components/ui/control-style.ts";
import { cx } from "#components/ui/cx.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Link } from "#components/ui/link.tsx";
import { type SearchAction, useTypedSearch } from "#components/ui/use-typed-search.ts";
import { type FoundReseller, ResellerSuggestions, suggestionId } from "./reseller-suggestions.tsx";

export interface ChosenReseller {
  readonly id: number;
  /** Null: there is none with this id. */
  readonly name: string | null;
}

export interface ResellerChoiceProps {
  readonly chosen: ChosenReseller | null;
  /** A server action: some with this text in name or email, newest first. Throws when there is no answer. */
  readonly search: SearchAction<FoundReseller>;
  /** Null: all of them. */
  readonly onChoose: (resellerId: number | null) => void;
}

/**
 * One reseller of thousands, as a list's filter: a combobox (WAI-ARIA APG) that suggests what is typed. Emptied and
 * sent with Enter, it stands for all; Escape, and leaving it, brings back what was chosen.
 */
export function ResellerChoice({ chosen, search, onChoose }: ResellerChoiceProps) {
  const listId = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  /** Null: nothing yet. */
  const [typed, setTyped] = useState<string | null>(null);
  const [chosenIndex, setChosenIndex] = useState(-1);
  const text = typed?.trim() ?? "";
  const suggestions = useTypedSearch("resellers", open ? search : null, text);
  const { found } = suggestions;
  const index = Math.min(chosenIndex, found.length - 1);

  // The name goes as soon as another one is typed.
  const shown = typed ?? (chosen === null ? "" : nameOf(chosen));
  useEffect(() => {
    if (typed === null && shown !== "" && document.activeElement === inputRef.current) inputRef.current?.select();
  }, [typed, shown]);

  function close() {
    setOpen(false);
    setTyped(null);
    setChosenIndex(-1);
  }

  function choose(resellerId: number | null) {
    close();
    if (resellerId !== (chosen?.id ?? null)) onChoose(resellerId);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const last = found.length - 1;
      if (!open) setOpen(true);
      else if (event.key === "ArrowDown") setChosenIndex(index === last ? 0 : index + 1);
      else setChosenIndex(index <= 0 ? last : index - 1);
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      const option = found[index];
      if (option) choose(option.id);
      else if (typed !== null && text === "") choose(null);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      close();
    }
  }

  return (
    <div className="flex items-center gap-0.5 max-md:w-full">
      <div className="relative w-56 max-md:w-full">
        <input
          aria-activedescendant={index >= 0 ? suggestionId(listId, index) : undefined}
          aria-autocomplete="list"
          aria-controls={listId}
          aria-expanded={open}
          aria-label="Reseller"
          autoComplete="off"
          className={cx(controlClassName, controlHeightClassName, chosen !== null && "pr-9")}
          maxLength={200}
          onBlur={close}
          onChange={({ target }) => {
            setOpen(true);
            setTyped(target.value);
            setChosenIndex(target.value.trim() === "" ? -1 : 0);
          }}
          onClick={({ currentTarget }) => {
            if (!open) currentTarget.select();
            setOpen(true);
          }}
          onFocus={({ target }) => target.select()}
          onKeyDown={onKeyDown}
          placeholder="All resellers"
          ref={inputRef}
          role="combobox"
          spellCheck={false}
          value={shown}
        />
        {chosen !== null && (
          <span className="absolute inset-y-0 right-0.5 flex items-center">
            <IconButton
              icon={<X aria-hidden className="size-3.5" />}
              label="Show all resellers"
              onClick={() => {
                inputRef.current?.focus();
                choose(null);
              }}
              size="sm"
            />
          </span>
        )}
        {open && (
          <ResellerSuggestions
            {...suggestions}
            anchorRef={inputRef}
            index={index}
            listId={listId}
            onChoose={choose}
            onPoint={setChosenIndex}
          />
        )}
      </div>
      {chosen !== null && chosen.name !== null && (
        <Link
          aria-label={`Open ${chosen.name}`}
          className="grid size-8 place-items-center rounded-md text-text-muted hover:bg-surface-hover hover:text-text pointer-coarse:size-10"
          href={`/resellers/${chosen.id}`}
          title={`Open ${chosen.name}`}
        >
          <ExternalLink aria-hidden className="size-3.5" />
        </Link>
      )}
    </div>
  );
}

function nameOf({ id, name }: ChosenReseller): string {
  return name ?? `Reseller ${id}`;
}
