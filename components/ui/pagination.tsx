import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "./button-link.tsx";
import { buttonClassName } from "./button-style.ts";

export interface PaginationProps {
  /** Null at the first page. */
  readonly previousHref: string | null;
  /** Null at the last page. */
  readonly nextHref: string | null;
  /** E.g. "50 of 12,480 licenses". */
  readonly summary?: ReactNode;
}

/** Keyset paging: there are neighbors, but no page numbers. */
export function Pagination({ previousHref, nextHref, summary }: PaginationProps) {
  return (
    <nav
      aria-label="Pages"
      className="flex items-center justify-between gap-4 border-t px-4 py-2 text-sm text-text-muted"
    >
      <p className="tabular">{summary}</p>
      <div className="flex gap-1.5">
        <Step href={previousHref} rel="prev">
          <ChevronLeft aria-hidden className="size-3.5" />
          Previous
        </Step>
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
