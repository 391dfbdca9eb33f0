import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { flushSync } from "react-dom";

/** From this many rows on, phones show each as a line that opens. */
const FOLDED_FROM = 8;

interface FoldableRow {
  readonly key: string;
  readonly summary?: string;
}

interface Folds {
  readonly isLong: boolean;
  readonly isOpen: (key: string) => boolean;
  readonly toggle: (key: string) => void;
  /** Before the focus goes there: a hidden field takes none. */
  readonly reveal: (key: string | undefined) => void;
}

/** Which rows of a long grid are open on phones. */
export function useFolds(rows: readonly FoldableRow[]): Folds {
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set());
  const isLong = rows.filter(({ summary }) => summary !== undefined).length >= FOLDED_FROM;
  const isOpen = (key: string) => !isLong || openKeys.has(key);
  return {
    isLong,
    isOpen,
    toggle: (key: string) => setOpenKeys(new Set([...openKeys, key].filter((one) => one !== key || !isOpen(key)))),
    reveal(key: string | undefined) {
      if (key !== undefined && !isOpen(key)) flushSync(() => setOpenKeys(new Set([...openKeys, key])));
    },
  };
}

interface FoldButtonProps {
  readonly folds: Folds;
  /** The row's key. */
  readonly of: string;
  readonly summary: string | undefined;
}

/** Shows the amounts of a row on phones. */
export function FoldButton({ folds, of, summary }: FoldButtonProps) {
  if (!folds.isLong || summary === undefined) return null;
  return (
    <button aria-expanded={folds.isOpen(of)} onClick={() => folds.toggle(of)} type="button">
      <span className="sr-only">Prices: </span>
      {summary}
      <ChevronDown className="size-4" />
    </button>
  );
}
