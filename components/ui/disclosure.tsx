import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";

export interface DisclosureProps {
  /** What can be seen, e.g. "Show as a table". */
  readonly summary: ReactNode;
  /** Replaces it while open, e.g. "Hide table". */
  readonly openSummary?: string;
  readonly className?: string;
  /** Unless the browser alone opens and closes it. */
  readonly open?: boolean;
  readonly onToggle?: (open: boolean) => void;
  readonly children: ReactNode;
}

/** More on demand, without a script; Space and Enter open and close it. */
export function Disclosure({ summary, openSummary, className, open, onToggle, children }: DisclosureProps) {
  return (
    <details
      className={cx("group text-sm", className)}
      onToggle={onToggle && (({ currentTarget }) => onToggle(currentTarget.open))}
      open={open}
    >
      <summary className="flex w-fit list-none items-start gap-1 rounded-sm py-0.5 text-text-muted hover:text-text pointer-coarse:py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight className="h-lh w-3.5 shrink-0 transition-transform group-open:rotate-90" />
        <span className={cx("self-baseline", openSummary && "group-open:hidden")}>{summary}</span>
        {openSummary && <span className="hidden self-baseline group-open:inline">{openSummary}</span>}
      </summary>
      {children}
    </details>
  );
}
