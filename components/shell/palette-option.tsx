import { cx } from "#components/ui/cx.ts";
import { Highlight } from "#components/ui/highlight.tsx";
import { StatusBadge } from "#components/ui/status-badge.tsx";
import { excerptOf, type SearchWord } from "#lib/domain/search-text.ts";
import type { PaletteGroup } from "./palette.ts";

interface PaletteOptionProps {
  readonly id: string;
  readonly item: PaletteGroup["items"][number];
  /** What is searched for. */
  readonly words: readonly SearchWord[];
  readonly active: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

export function PaletteOption({ id, item, words, active, onPoint, onChoose }: PaletteOptionProps) {
  const { label, detail, icon, status, notes = "" } = item;
  const excerpt = excerptOf(notes, words);
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
      {icon}
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
          <span className="min-w-0 max-w-full truncate">
            <Highlight text={label} words={words} />
          </span>{" "}
          {detail && (
            <span className="min-w-0 max-w-full truncate text-text-muted text-xs">
              <Highlight text={detail} words={words} />
            </span>
          )}
        </span>
        {excerpt !== null && (
          <span className="block truncate text-text-muted text-xs">
            Note: <Highlight text={excerpt} words={words} />
          </span>
        )}
      </span>
      {status && <StatusBadge status={status} />}
    </div>
  );
}
