import { ChevronRight } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { ButtonLink } from "./button-link.tsx";
import type { ButtonVariant } from "./button-style.ts";
import { DropdownMenu } from "./dropdown-menu.tsx";
import { Link } from "./link.tsx";
import { MenuLink } from "./menu-item.tsx";
import { PageTitle } from "./page-title.tsx";

export interface HeaderLink {
  readonly href: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly variant?: ButtonVariant;
}

export interface PageHeaderProps {
  /** Of the window, and of the page unless `heading` differs. */
  readonly title: string;
  readonly heading?: ReactNode;
  readonly description?: ReactNode;
  /** Beside the title, e.g. a StatusBadge. */
  readonly badge?: ReactNode;
  /** The way down to this page, without the page itself. */
  readonly trail?: readonly { readonly label: string; readonly href: string }[];
  /** Where to go from here: buttons; on phones one menu, unless a single one has the line for itself. */
  readonly links?: readonly HeaderLink[] | undefined;
  /** Buttons; the main one last. */
  readonly actions?: ReactNode;
}

/** The page's only `<h1>`; as high without buttons as with them, so that what follows stands still between pages. */
export function PageHeader({
  title,
  heading = title,
  description,
  badge,
  trail = [],
  links = [],
  actions,
}: PageHeaderProps) {
  const folded = links.length > 1 || (links.length > 0 && Boolean(actions));
  return (
    <header className="mb-5 flex min-h-8 flex-wrap items-center justify-between gap-x-6 gap-y-3 max-sm:gap-x-3 md:flex-nowrap pointer-coarse:min-h-10">
      <PageTitle>{title}</PageTitle>
      <div className="min-w-0 md:flex-1">
        {trail.length > 0 && (
          <nav aria-label="Breadcrumb" className="mb-1 flex flex-wrap items-center gap-x-1 text-sm text-text-muted">
            {trail.map(({ label, href }, index) => (
              <Fragment key={href}>
                {index > 0 && <ChevronRight className="size-3 shrink-0" />}
                <Link className="wrap-anywhere rounded-sm py-0.5 hover:text-text" href={href}>
                  {label}
                </Link>
              </Fragment>
            ))}
          </nav>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="wrap-anywhere text-balance font-semibold text-xl tracking-tight">{heading}</h1>
          {badge}
        </div>
        {description && <p className="wrap-anywhere mt-1 max-w-3xl text-pretty text-text-muted">{description}</p>}
      </div>
      {(actions || links.length > 0) && (
        <div className="flex flex-wrap gap-2 md:shrink-0" data-screen-only="">
          {links.map(({ label, ...link }) => (
            <ButtonLink className={folded ? "max-md:hidden" : undefined} key={link.href} {...link}>
              {label}
            </ButtonLink>
          ))}
          {actions}
          {folded && (
            <DropdownMenu className="md:hidden" label="More" size="md" variant="secondary">
              {links.map(({ href, icon, label }) => (
                <MenuLink href={href} icon={icon} key={href}>
                  {label}
                </MenuLink>
              ))}
            </DropdownMenu>
          )}
        </div>
      )}
    </header>
  );
}
