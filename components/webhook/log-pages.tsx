import { ChevronRight, ChevronsLeft } from "lucide-react";
import type { ReactNode } from "react";
import { ButtonLink } from "#components/ui/button-link.tsx";

export interface LogPagesProps {
  /** Where the newest are; null there. */
  readonly newerHref: string | null;
  /** Null at the end. */
  readonly olderHref: string | null;
  readonly children: ReactNode;
}

/** Below the log: older deliveries, and the way back to the newest. */
export function LogPages({ newerHref, olderHref, children }: LogPagesProps) {
  return (
    <nav
      aria-label="Pages"
      className="flex min-h-11 items-center justify-between gap-4 border-t px-4 py-2 text-sm text-text-muted"
    >
      <div>{children}</div>
      <div className="flex gap-1.5">
        {newerHref !== null && (
          <ButtonLink href={newerHref} icon={<ChevronsLeft aria-hidden className="size-3.5" />} size="sm">
            Newest
          </ButtonLink>
        )}
        {olderHref !== null && (
          <ButtonLink href={olderHref} rel="next" size="sm">
            Older
            <ChevronRight aria-hidden className="size-3.5" />
          </ButtonLink>
        )}
      </div>
    </nav>
  );
}
