"use client";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { cx } from "#components/ui/cx.ts";
import { Dialog } from "#components/ui/dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import { type SearchAction, useTypedSearch } from "#components/ui/use-typed-search.ts";
import { matchesPalette, type PaletteGroup, type PaletteItem, stepPalette } from "./palette.ts";
import { readRecent, rememberRecent } from "./palette-recent.ts";

const MIN_SEARCH_LENGTH = 2;

export interface CommandPaletteProps {
  /** Pages and actions, found by their labels. */
  readonly groups: readonly PaletteGroup[];
  /** A server action that finds licenses by what key, address, or a word in host or note begins with; null for who has none. */
  readonly search: SearchAction<PaletteItem> | null;
  /** Whose recent choices are shown. */
  readonly owner: string;
  readonly onClose: () => void;
}

/** Goes anywhere and begins anything from the keyboard: a combobox whose list is always open. */
export default function CommandPalette({ groups, search, owner, onClose }: CommandPaletteProps) {
  const router = useRouter();
  const listId = useId();
  const [typed, setTyped] = useState("");
  const [chosenIndex, setChosenIndex] = useState(0);
  const [recent] = useState(() => readRecent(owner));
  const text = typed.trim();
  const wanted = text.length >= MIN_SEARCH_LENGTH ? search : null;
  const { found, searching, failed } = useTypedSearch("palette", wanted, text);

  const shown = [
    ...(text === "" ? [{ label: "Recent", items: recent }] : []),
    { label: "Licenses", items: found },
    ...groups.map(({ label, items }) => ({ label, items: items.filter((item) => matchesPalette(item.label, text)) })),
  ].filter(({ items }) => items.length > 0);
  const options = shown.flatMap(({ items }) => items);
  const index = Math.min(chosenIndex, Math.max(options.length - 1, 0));
  const optionId = (position: number) => `${listId}-${position}`;

  useEffect(() => {
    document.getElementById(`${listId}-${index}`)?.scrollIntoView({ block: "nearest" });
  }, [listId, index]);

  function go(item: PaletteItem | undefined) {
    if (item === undefined) return;
    rememberRecent(owner, item);
    onClose();
    router.push(item.href);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setChosenIndex(stepPalette(index, event.key === "ArrowDown" ? 1 : -1, options.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      go(options[index]);
    }
  }

  return (
    <Dialog onClose={onClose} open size="lg" title="Search and commands">
      <Input
        aria-activedescendant={options.length > 0 ? optionId(index) : undefined}
        aria-autocomplete="list"
        aria-controls={listId}
        aria-expanded={options.length > 0}
        aria-label="Search licenses, pages and actions"
        autoComplete="off"
        data-autofocus
        maxLength={200}
        onChange={({ target }) => {
          setTyped(target.value);
          setChosenIndex(0);
        }}
        onKeyDown={onKeyDown}
        placeholder={search ? "Key, host, address, page or action" : "Page or action"}
        role="combobox"
        spellCheck={false}
        value={typed}
      />
      <p className="mt-2 min-h-5 text-sm text-text-muted" role="status">
        {searching
          ? "Searching…"
          : failed
            ? "Licenses could not be searched."
            : options.length === 0
              ? `Nothing found. Try the beginning of ${search ? "a key, an address or a word" : "a word"}.`
              : options.length === 1
                ? "1 result"
                : `${options.length} results`}
      </p>
      <div
        aria-label="Results"
        className="-mx-2 mt-1 h-80 max-h-[50dvh] overflow-y-auto"
        hidden={options.length === 0}
        id={listId}
        role="listbox"
        tabIndex={-1}
      >
        {shown.map(({ label, items }, groupIndex) => {
          const before = shown.slice(0, groupIndex).reduce((sum, group) => sum + group.items.length, 0);
          return (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a listbox
            <div aria-label={label} key={label} role="group">
              <p aria-hidden className="px-2 pt-2 pb-1 font-medium text-text-muted text-xs">
                {label}
              </p>
              {items.map((item, itemIndex) => (
                <PaletteOption
                  active={before + itemIndex === index}
                  id={optionId(before + itemIndex)}
                  item={item}
                  key={item.href}
                  onChoose={() => go(item)}
                  onPoint={() => setChosenIndex(before + itemIndex)}
                />
              ))}
            </div>
          );
        })}
      </div>
    </Dialog>
  );
}

interface PaletteOptionProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly active: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

function PaletteOption({ id, item, active, onPoint, onChoose }: PaletteOptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the focus, and its keys choose
    <div
      aria-selected={active}
      className={cx(
        "flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2 py-1 text-sm pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-text-muted",
        active && "bg-surface-selected",
      )}
      id={id}
      onClick={onChoose}
      onPointerMove={active ? undefined : onPoint}
      role="option"
      tabIndex={-1}
    >
      {item.icon}
      <span className="min-w-0 flex-1 truncate">{item.label}</span>
      {item.detail && <span className="max-w-1/2 truncate text-text-muted">{item.detail}</span>}
    </div>
  );
}
