"use client";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { Dialog } from "#components/ui/dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import { type SearchAction, useTypedSearch } from "#components/ui/use-typed-search.ts";
import { countText } from "#lib/domain/count-text.ts";
import { toSearchWords } from "#lib/domain/search-text.ts";
import {
  type FoundItem,
  groupFound,
  matchesPalette,
  type PaletteGroup,
  type PaletteItem,
  stepPalette,
  stillMatches,
} from "./palette.ts";
import { PaletteOption } from "./palette-option.tsx";
import { readRecent, rememberRecent } from "./palette-recent.ts";

/** Two characters, or the digit of an id. */
const SEARCHED = /^(?:\d|.{2,})/s;
const NONE: readonly FoundItem[] = [];

export interface CommandPaletteProps {
  /** Pages and actions, found by their labels and synonyms. */
  readonly groups: readonly PaletteGroup[];
  /** A server action that finds objects. */
  readonly search: SearchAction<FoundItem>;
  /** Whose recent choices are shown. */
  readonly owner: string;
  readonly onClose: () => void;
}

/**
 * Goes anywhere and begins anything from the keyboard: a combobox whose list is always open. Pages and actions come
 * first, because they are there at once: what is found later appears below and moves nothing.
 */
export default function CommandPalette({ groups, search, owner, onClose }: CommandPaletteProps) {
  const router = useRouter();
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [recent] = useState(() => readRecent(owner));
  const text = typed.trim();
  const { found, searching, failed } = useTypedSearch("palette", SEARCHED.test(text) ? search : null, text);
  const [answer, setAnswer] = useState(NONE);
  if (!searching && answer !== found) setAnswer(found);
  const words = toSearchWords(text);

  const shown = [
    { label: "Recent", items: recent.filter((item) => matchesPalette(item, text)) },
    ...groups.map(({ label, items }) => ({ label, items: items.filter((item) => matchesPalette(item, text)) })),
    ...groupFound(searching ? answer.filter((item) => stillMatches(item, text)) : found),
  ].filter(({ items }) => items.length > 0);
  const options = shown.flatMap(({ label, items }) => items.map((item) => ({ key: `${label} ${item.href}`, item })));
  // The option that the cursor is on stays chosen while others come and go.
  const [chosen, setChosen] = useState<string | null>(null);
  const index = Math.max(
    0,
    options.findIndex(({ key }) => key === chosen),
  );
  const active = options[index] ?? null;
  const activeKey = active?.key ?? null;
  if (chosen !== activeKey && activeKey !== null) setChosen(activeKey);
  const [entered, setEntered] = useState(false);

  useEffect(() => {
    document.getElementById(`${listId}-${index}`)?.scrollIntoView({ block: "nearest" });
  }, [listId, index]);

  function go({ item }: { readonly item: PaletteItem }) {
    rememberRecent(owner, item);
    onClose();
    router.push(item.href);
  }

  // Enter came before the answer.
  useEffect(() => {
    if (!entered || searching) return;
    setEntered(false);
    if (active !== null) go(active);
  });

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = options[stepPalette(index, event.key === "ArrowDown" ? 1 : -1, options.length)];
      setChosen(next?.key ?? null);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (active !== null) go(active);
      else setEntered(searching);
    }
  }

  return (
    <Dialog onClose={onClose} size="lg" title="Search and commands">
      <Input
        aria-activedescendant={active === null ? undefined : `${listId}-${index}`}
        aria-autocomplete="list"
        aria-controls={listId}
        aria-expanded={options.length > 0}
        aria-label="Search everything"
        autoComplete="off"
        data-autofocus
        maxLength={200}
        onChange={({ target }) => {
          setTyped(target.value);
          setChosen(null);
          setEntered(false);
        }}
        onKeyDown={onKeyDown}
        placeholder="ID, key, address, name, page or action"
        role="combobox"
        spellCheck={false}
        value={typed}
      />
      <p className="mt-2 min-h-5 text-sm text-text-muted" role="status">
        {describeState({ searching, failed, count: options.length })}
      </p>
      {/* Of one height, whatever is found. */}
      <div
        aria-label="Results"
        className="-mx-2 mt-1 h-96 max-h-[55dvh] overflow-y-auto border-t"
        id={listId}
        role="listbox"
        tabIndex={-1}
      >
        {shown.map(({ label, items }, groupIndex) => {
          const before = shown.slice(0, groupIndex).reduce((sum, group) => sum + group.items.length, 0);
          return (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a listbox
            <div aria-label={label} key={label} role="group">
              <p
                aria-hidden
                className="sticky top-0 bg-surface-raised px-2 pt-2 pb-1 font-medium text-text-muted text-xs"
              >
                {label}
              </p>
              {items.map((item, itemIndex) => (
                <PaletteOption
                  active={before + itemIndex === index}
                  id={`${listId}-${before + itemIndex}`}
                  item={item}
                  key={item.href}
                  onChoose={() => go({ item })}
                  onPoint={() => setChosen(`${label} ${item.href}`)}
                  words={words}
                />
              ))}
            </div>
          );
        })}
      </div>
    </Dialog>
  );
}

interface PaletteState {
  readonly searching: boolean;
  readonly failed: boolean;
  readonly count: number;
}

function describeState({ searching, failed, count }: PaletteState): string {
  if (searching) return "Searching…";
  if (failed) return "The search failed. Pages and actions are still found.";
  if (count === 0) return "Nothing found. Try an ID, the beginning of a word, or the end of a key.";
  return countText(count, "result");
}
