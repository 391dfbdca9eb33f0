"use client";
import { ChevronLeft, ChevronRight, ChevronsLeft } from "lucide-react";
import { parseAsInteger, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { numberText } from "#lib/domain/count-text.ts";
import { ROWS_PER_PAGE } from "#lib/domain/paging.ts";
import { ButtonLink } from "./button-link.tsx";
import { buttonClassName } from "./button-style.ts";
import { countedText } from "./counted-text.ts";
import { rangeOf, rowHref } from "./page-range.ts";

export interface PageLinks {
  /** Of lists that only lead onward: the way back to the first page; null there. */
  readonly firstHref?: string | null;
  /** Of lists that also lead back page by page; null on the first page. */
  readonly previousHref?: string | null;
  /** Null on the last page. */
  readonly nextHref: string | null;
  /** Default: `ROWS_PER_PAGE`. */
  readonly pageSize?: number;
}

export interface PaginationProps extends PageLinks {
  /** Rows on this page. */
  readonly count: number;
  /** How many there are on all pages: a count up to `COUNTED_AT_MOST`, or its text; null if it is not counted. */
  readonly total: ReactNode;
  /** Default: newest first. */
  readonly order?: string;
}

/**
 * Keyset paging: there are neighbors, but no page numbers. Its links carry the number of their page's first row, for
 * "51–60 of 60". Renders nothing if all rows are on one page.
 */
export function Pagination({
  firstHref = null,
  previousHref,
  nextHref,
  pageSize = ROWS_PER_PAGE,
  count,
  total,
  order = "newest first",
}: PaginationProps) {
  const [row] = useQueryState("row", parseAsInteger);
  if (firstHref === null && (previousHref ?? null) === null && nextHref === null) return null;
  const isFirst = firstHref === null && (previousHref ?? null) === null;
  const { start, end, all } = rangeOf({ row: isFirst ? 1 : row, count, isLast: nextHref === null });
  const counted = typeof total === "number" ? countedText(total) : total;
  const known = all === null ? counted : numberText(all);
  return (
    <nav
      aria-label="Pages"
      className="flex items-center justify-between gap-4 border-t px-4 py-2 text-sm text-text-muted"
    >
      <p className="tabular">
        {start === null ? `${numberText(count)} shown` : `${numberText(start)}–${numberText(end)}`}
        {start !== null && known && <> of {known}</>}
        <span className="max-sm:hidden">, {order}</span>
      </p>
      <div className="flex gap-1.5">
        {firstHref !== null && (
          <ButtonLink href={firstHref} icon={<ChevronsLeft />} size="sm">
            First page
          </ButtonLink>
        )}
        {previousHref !== undefined && (
          <Step href={previousHref && rowHref(previousHref, start && Math.max(1, start - pageSize))} rel="prev">
            <ChevronLeft />
            Previous
          </Step>
        )}
        <Step href={nextHref && rowHref(nextHref, start && end + 1)} rel="next">
          Next
          <ChevronRight />
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
