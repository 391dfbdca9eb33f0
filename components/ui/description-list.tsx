import type { ReactNode } from "react";
import { cx } from "./cx.ts";

export interface DescriptionListProps {
  readonly items: DescriptionItems;
  /** Side by side on wide screens: many short facts. Default: one column. */
  readonly inColumns?: boolean;
}

interface DescriptionItem {
  readonly term: string;
  /** Text with other text goes into one element; elements of their own stand apart. */
  readonly value: ReactNode;
  /** Where there is little room, it stands below its term: a key, an email address, a form. So does an open disclosure. */
  readonly wide?: boolean;
  /** The last of a list in columns: as wide as the list. */
  readonly across?: boolean;
}

/** False: a fact that this thing does not have. */
export type DescriptionItems = readonly (DescriptionItem | false)[];

/** Facts about one thing: terms left, values right. */
export function DescriptionList({ items, inColumns = false }: DescriptionListProps) {
  return (
    <dl
      className={cx(
        "@container divide-y text-sm",
        inColumns && "xl:grid xl:grid-cols-2 xl:gap-x-12 xl:[&>:nth-last-child(2):nth-child(odd)]:border-b-0",
      )}
    >
      {items
        .filter((item) => item !== false)
        .map(({ term, value, wide = false, across = false }) => (
          <div
            className={cx(
              "grid min-h-9 items-baseline gap-x-4 py-1.5 @md:grid-cols-[10rem_minmax(0,1fr)]",
              !wide && "@max-md:not-has-[details[open]]:grid-cols-[7.5rem_minmax(0,1fr)]",
              across && "xl:-mt-px xl:col-span-2 xl:border-t",
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
