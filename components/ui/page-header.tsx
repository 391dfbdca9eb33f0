import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { Fragment, type ReactNode } from "react";

export interface PageHeaderProps {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  /** Beside the title, e.g. a StatusBadge. */
  readonly badge?: ReactNode;
  /** The way down to this page, without the page itself. */
  readonly trail?: readonly { readonly label: string; readonly href: string }[];
  /** Buttons; the main one last. */
  readonly actions?: ReactNode;
}

/** The page's only `<h1>`. */
export function PageHeader({ title, description, badge, trail = [], actions }: PageHeaderProps) {
  return (
    <header className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        {trail.length > 0 && (
          <nav aria-label="Breadcrumb" className="mb-1 flex items-center gap-1 text-sm text-text-muted">
            {trail.map(({ label, href }, index) => (
              <Fragment key={href}>
                {index > 0 && <ChevronRight aria-hidden className="size-3" />}
                <Link className="rounded-sm py-0.5 hover:text-text" href={href}>
                  {label}
                </Link>
              </Fragment>
            ))}
          </nav>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="wrap-anywhere font-semibold text-xl tracking-tight">{title}</h1>
          {badge}
        </div>
        {description && <p className="mt-0.5 max-w-prose text-pretty text-text-muted">{description}</p>}
      </div>
      {actions && (
        <div className="flex flex-wrap gap-2" data-screen-only="">
          {actions}
        </div>
      )}
    </header>
  );
}
