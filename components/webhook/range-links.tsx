import { cx } from "#components/ui/cx.ts";
import { Link } from "#components/ui/link.tsx";

export interface RangeLink {
  readonly label: string;
  readonly href: string;
  readonly current: boolean;
}

/** One of a few views of the same thing, each with its address. */
export function RangeLinks({ label, links }: { readonly label: string; readonly links: readonly RangeLink[] }) {
  return (
    <nav aria-label={label} className="flex w-fit rounded-md bg-surface-selected p-0.5">
      {links.map(({ label: text, href, current }) => (
        <Link
          aria-current={current ? "true" : undefined}
          className={cx(
            "grid h-7 place-items-center rounded-[0.3125rem] px-2.5 text-sm pointer-coarse:h-9",
            current ? "bg-surface font-medium text-text shadow-raised" : "text-text-muted hover:text-text",
          )}
          href={href}
          key={href}
          scroll={false}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
