import { ChevronDown } from "lucide-react";
import type { Folds } from "./use-folds.ts";

export interface FoldButtonProps {
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
      <ChevronDown aria-hidden className="size-4" />
    </button>
  );
}
