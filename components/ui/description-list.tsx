import type { ReactNode } from "react";

export interface DescriptionListProps {
  readonly items: readonly { readonly term: string; readonly value: ReactNode }[];
}

/** Facts about one thing: terms left, values right. */
export function DescriptionList({ items }: DescriptionListProps) {
  return (
    <dl className="@container divide-y text-sm">
      {items.map(({ term, value }) => (
        <div
          className="grid min-h-9 grid-cols-[7.5rem_1fr] items-baseline gap-x-4 py-1.5 @md:grid-cols-[10rem_1fr]"
          key={term}
        >
          <dt className="text-text-muted">{term}</dt>
          <dd className="wrap-anywhere flex min-w-0 items-center gap-1">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
