import { X } from "lucide-react";
import { numberText } from "#lib/domain/count-text.ts";
import { cx } from "./cx.ts";
import { Link } from "./link.tsx";

export interface FilterChip {
  readonly label: string;
  /** Where the list is with this filter turned the other way. */
  readonly href: string;
  readonly active: boolean;
  readonly count?: number;
}

/** Chips of a filter that is set to one of its options, or to none: the one that is active leads to none. */
export function chipsOf<Value>(
  options: readonly ({ readonly value: Value } & Pick<FilterChip, "label" | "count">)[],
  chosen: Value | null,
  hrefOf: (value: Value | null) => string,
): FilterChip[] {
  return options.map(({ value, ...shown }) => ({
    ...shown,
    href: hrefOf(value === chosen ? null : value),
    active: value === chosen,
  }));
}

export interface FilterChipsProps {
  /** Accessible name, e.g. "Filter by status". */
  readonly label: string;
  readonly chips: readonly FilterChip[];
  /** Where the list is without any filter; offered while several are active, as one is its own way back. */
  readonly clearHref?: string;
}

/** Filters are addresses: they can be shared, opened in a tab, and gone back from. */
export function FilterChips({ label, chips, clearHref }: FilterChipsProps) {
  if (chips.length === 0) return null;
  const severalActive = chips.filter((chip) => chip.active).length > 1;
  return (
    <nav aria-label={label}>
      <ul className="flex flex-wrap items-center gap-1.5">
        {chips.map((chip) => (
          <li key={chip.label}>
            <Link
              aria-current={chip.active ? "true" : undefined}
              className={cx(
                "inline-flex h-7 items-center gap-1.5 rounded-full px-2.5 text-sm transition-colors pointer-coarse:h-9",
                chip.active
                  ? "bg-accent-soft font-medium text-accent-text inset-ring inset-ring-accent-text/60"
                  : "text-text-muted inset-ring inset-ring-border hover:bg-surface-hover hover:text-text",
              )}
              href={chip.href}
              scroll={false}
            >
              {chip.label}
              {chip.count !== undefined && <span className="tabular text-xs">{numberText(chip.count)}</span>}
              {chip.active && <X className="-mr-0.5 size-3" />}
            </Link>
          </li>
        ))}
        {severalActive && clearHref !== undefined && (
          <li>
            <Link
              className="inline-flex h-7 items-center rounded-md px-2 text-sm text-text-muted hover:text-text pointer-coarse:h-9"
              href={clearHref}
              scroll={false}
            >
              Clear
            </Link>
          </li>
        )}
      </ul>
    </nav>
  );
}
