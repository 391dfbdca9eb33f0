import { ChevronLeft, ChevronRight, ChevronsLeft } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "./button-link.tsx";
import { buttonClassName } from "./button-style.ts";

export interface PaginationProps {
  /** Of lists that only lead onward: the way back to the first page; null there. */
  readonly firstHref?: string | null;
  /** Of lists that also lead back page by page; null on the first page. */
  readonly previousHref?: string | null;
  /** Null on the last page. */
  readonly nextHref: string | null;
  /** E.g. "50 shown, newest first". */
  readonly summary: ReactNode;
}

/** Keyset paging: there are neighbors, but no page numbers. Renders nothing if all rows are on one page. */
export function Pagination({ firstHref = null, previousHref, nextHref, summary }: PaginationProps) {
  if (firstHref === null && (previousHref ?? null) === null && nextHref === null) return null;
  return (
    <nav
      aria-label="Pages"
      className="flex items-center justify-between gap-4 border-t px-4 py-2 text-sm text-text-muted"
    >
      <p className="tabular">{summary}</p>
      <div className="flex gap-1.5">
        {firstHref !== null && (
          <ButtonLink href={firstHref} icon={<ChevronsLeft aria-hidden className="size-3.5" />} size="sm">
            First page
          </ButtonLink>
        )}
        {previousHref !== undefined && (
          <Step href={previousHref} rel="prev">
            <ChevronLeft aria-hidden className="size-3.5" />
            Previous
          </Step>
        )}
        <Step href={nextHref} rel="next">
          Next
          <ChevronRight aria-hidden className="size-3.5" />
        </Step>
      </div>
    </nav>
  );
}

interface StepProps {
  readonly href: string | null;
  readonly rel: "prev" | "next";
  readonly children: ReactNode;
}

function Step({ href, rel, children }: StepProps) {
  if (href === null) {
    return (
      <span aria-disabled="true" className={buttonClassName("secondary", "sm")}>
        {children}
      </span>
    );
  }
  return (
    <ButtonLink href={href} rel={rel} size="sm">
      {children}
    </ButtonLink>
  );
}
