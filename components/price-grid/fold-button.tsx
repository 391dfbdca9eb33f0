import { ChevronDown } from "lucide-react";

export interface FoldButtonProps {
  readonly summary: string;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** Shows the amounts of a row on phones. */
export function FoldButton({ summary, open, onToggle }: FoldButtonProps) {
  return (
    <button aria-expanded={open} onClick={onToggle} type="button">
      <span className="sr-only">Prices: </span>
      {summary}
      <ChevronDown aria-hidden className="size-4" />
    </button>
  );
}
