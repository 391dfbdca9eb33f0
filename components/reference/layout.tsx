import type { ReactNode } from "react";
import { Logo } from "#components/shell/logo.tsx";
import { MAIN_ID, SkipLink } from "#components/shell/skip-link.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { cx } from "#components/ui/cx.ts";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { Link } from "#components/ui/link.tsx";

interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: 2 | 3;
}

export interface ReferenceLink {
  readonly href: string;
  readonly title: string;
  /** Of the page that is shown; null for the others. */
  readonly headings: readonly Heading[] | null;
}

export interface ReferenceLayoutProps {
  readonly links: readonly ReferenceLink[];
  readonly children: ReactNode;
}

const linkStyle = "block rounded-md px-2 py-1 text-sm hover:bg-surface-hover";

function Navigation({ links }: { readonly links: readonly ReferenceLink[] }) {
  return (
    <ul className="flex flex-col gap-0.5">
      {links.map(({ href, title, headings }) => (
        <li key={href}>
          <Link
            aria-current={headings === null ? undefined : "page"}
            className={cx(linkStyle, headings === null ? "text-text-muted" : "bg-surface-selected font-medium")}
            href={href}
          >
            {title}
          </Link>
          {headings !== null && (
            <ul className="my-1 ml-2 border-border border-l pl-1">
              {headings.map(({ id, text, level }) => (
                <li key={id}>
                  <a
                    className={cx(
                      linkStyle,
                      "break-words aria-[current=true]:text-accent-text",
                      level === 2 ? "text-text" : "pl-4 text-text-muted",
                    )}
                    href={`#${id}`}
                  >
                    {text}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
      <li className="sm:hidden">
        <a className={cx(linkStyle, "text-text-muted")} href="/api/openapi.json">
          OpenAPI
        </a>
      </li>
    </ul>
  );
}

/** The public reference: navigation beside the text, or above it on a phone. */
export function ReferenceLayout({ links, children }: ReferenceLayoutProps) {
  return (
    <>
      <SkipLink />
      <header className="sticky top-0 z-10 border-border border-b bg-surface print:hidden">
        <div className="mx-auto flex h-14 max-w-6xl items-center justify-between gap-3 px-4">
          <Link className="rounded-md lg:ml-2" href="/docs">
            <Logo />
          </Link>
          <nav aria-label="License Desk" className="flex items-center gap-3">
            <a className="text-accent-text text-sm underline underline-offset-2 max-sm:hidden" href="/api/openapi.json">
              OpenAPI
            </a>
            <ButtonLink href="/">Dashboard</ButtonLink>
          </nav>
        </div>
      </header>
      <div className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] lg:grid-cols-[15rem_minmax(0,1fr)]">
        <nav
          aria-label="API reference"
          className="sticky top-14 hidden max-h-[calc(100dvh-3.5rem)] overflow-y-auto p-4 lg:block print:hidden"
        >
          <Navigation links={links} />
        </nav>
        <Disclosure
          className="mx-4 mt-4 rounded-md border border-border bg-surface p-2 lg:hidden print:hidden"
          summary={<span className="font-medium text-text">Contents</span>}
        >
          <nav aria-label="API reference">
            <Navigation links={links} />
          </nav>
        </Disclosure>
        <main className="min-w-0 px-4 py-6 lg:px-8" id={MAIN_ID} tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  );
}
