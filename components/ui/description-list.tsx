import type { ReactNode } from "react";
import { cx } from "./cx.ts";

export interface DescriptionListProps {
  readonly items: readonly DescriptionItem[];
}

export interface DescriptionItem {
  readonly term: string;
  /** Text with other text goes into one element; elements of their own stand apart. */
  readonly value: ReactNode;
  /** Where there is little room, it stands below its term: a key, an email address, a form. */
  readonly wide?: boolean;
}

/** Facts about one thing: terms left, values right. */
export function DescriptionList({ items }: DescriptionListProps) {
  return (
    <dl className="@container divide-y text-sm">
      {items.map(({ term, value, wide = false }) => (
        <div
          className={cx(
            "grid min-h-9 items-baseline gap-x-4 py-1.5 @md:grid-cols-[10rem_minmax(0,1fr)]",
            !wide && "grid-cols-[7.5rem_minmax(0,1fr)]",
          )}
          key={term}
        >
          <dt className="text-text-muted">{term}</dt>
          <dd className="wrap-anywhere flex min-w-0 items-baseline gap-1 [&_[data-square]]:-my-1.5 [&_[data-square]]:self-center">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
