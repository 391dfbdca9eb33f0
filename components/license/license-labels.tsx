import { cx } from "#components/ui/cx.ts";
import { Highlight } from "#components/ui/highlight.tsx";
import { RowControl } from "#components/ui/table.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { type Labels, nameCustomer } from "#lib/domain/labels.ts";
import type { LicenseColumn } from "#lib/domain/license-column.ts";
import type { SearchWord } from "#lib/domain/search-text.ts";
import { TagLinks } from "./tag-links.tsx";

export interface LabelProps {
  readonly labels: Labels;
  readonly words: readonly SearchWord[];
  /** The list filtered by a label. */
  readonly hrefOf: (filter: { readonly customer: string } | { readonly tag: string }) => string;
}

/** Tags of a row; the others are counted. */
export const TAGS_SHOWN = 4;

/** `oneLine`: it takes the least room, cut off if need be. */
export function CustomerLink({ labels, words, hrefOf, oneLine = false }: LabelProps & { readonly oneLine?: boolean }) {
  const name = nameCustomer(labels);
  return (
    <TextLink
      className={cx("max-w-56", oneLine ? "inline-block h-6 truncate leading-6" : "wrap-anywhere line-clamp-2")}
      dir="auto"
      href={hrefOf({ customer: name })}
      title={name}
    >
      <Highlight text={name} words={words} />
    </TextLink>
  );
}

export function RowTags({ labels, words, hrefOf }: LabelProps) {
  return <TagLinks atMost={TAGS_SHOWN} hrefOf={(tag) => hrefOf({ tag })} tags={labels.tags} words={words} />;
}

/** The labels of a row that no column shows. */
export function LabelLine({ columns, ...label }: LabelProps & { readonly columns: readonly LicenseColumn[] }) {
  const hasCustomer = nameCustomer(label.labels) !== "" && !columns.includes("customer");
  const hasTags = label.labels.tags.length > 0 && !columns.includes("tags");
  if (!hasCustomer && !hasTags) return null;
  return (
    <span className="flex w-fit max-w-80 mt-0.5 max-md:mt-1.5 flex-wrap items-center gap-x-2 gap-y-1 text-xs">
      {hasCustomer && (
        <RowControl>
          <CustomerLink {...label} oneLine />
        </RowControl>
      )}
      {hasTags && (
        <RowControl>
          <RowTags {...label} />
        </RowControl>
      )}
    </span>
  );
}
