import { type ReactNode, useId } from "react";
import { cx } from "./cx.ts";

export interface CardProps {
  readonly title?: string;
  readonly description?: ReactNode;
  /** Beside the title, e.g. a Badge. */
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
  /** Without inner space, for tables and lists. */
  readonly flush?: boolean;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** A section with a frame; with a title it is a landmark that has that name. */
export function Card({ title, description, badge, actions, flush = false, className, children }: CardProps) {
  const titleId = useId();
  return (
    // clip, not hidden: a hidden overflow would be the scroll container of a table's sticky head
    <section
      aria-labelledby={title ? titleId : undefined}
      className={cx("overflow-clip rounded-lg border bg-surface shadow-raised", className)}
    >
      {title && (
        <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-3.5 pb-2.5 only:pb-3.5">
          <div className={cx("min-w-0", description ? "flex-1 basis-48" : "flex-auto")}>
            <div className="flex flex-wrap items-center gap-x-2">
              <h2 className="font-semibold text-base" id={titleId}>
                {title}
              </h2>
              {badge}
            </div>
            {description && <p className="text-sm text-text-muted">{description}</p>}
          </div>
          {actions && <div className="flex gap-2">{actions}</div>}
        </header>
      )}
      {children !== undefined && (
        <div
          className={flush ? cx(title && "[&>.table-frame:first-child]:border-t") : cx("px-4 pb-4", !title && "pt-4")}
        >
          {children}
        </div>
      )}
    </section>
  );
}
