import { Highlight } from "#components/ui/highlight.tsx";
import { formatTags, nameCustomer } from "#lib/domain/labels.ts";
import type { LicenseColumn } from "#lib/domain/license-column.ts";
import { excerptOf, findMatches, type SearchWord } from "#lib/domain/search-text.ts";
import { TAGS_SHOWN } from "./license-labels.tsx";
import type { LicenseListRow } from "./license-table.tsx";

interface LicenseMatchProps {
  readonly row: LicenseListRow;
  readonly columns: readonly LicenseColumn[];
  readonly words: readonly SearchWord[];
}

/** Why a search found the license, where no column shows it. */
export function LicenseMatch({ row, columns, words }: LicenseMatchProps) {
  const hidden = [
    { label: "Key", text: columns.includes("key") ? "" : row.key },
    { label: "External id", text: row.externalId ?? "" },
    { label: "Customer email", text: row.customerName === "" ? "" : row.customerEmail },
    { label: "Customer reference", text: nameCustomer(row) === row.customerReference ? "" : row.customerReference },
    { label: "Tags", text: formatTags(row.tags.slice(TAGS_SHOWN).filter((tag) => findMatches(tag, words).length > 0)) },
    { label: "Note", text: columns.includes("notes") ? "" : row.notes },
  ];
  const matching = hidden.filter(({ text }) => findMatches(text, words).length > 0);
  if (matching.length === 0) return null;
  return (
    <span className="block max-w-80 text-text-muted text-xs max-md:mt-1">
      {matching.map(({ label, text }) => (
        <span className="wrap-anywhere block" key={label}>
          {label}: <Highlight text={(label === "Note" ? excerptOf(text, words) : null) ?? text} words={words} />
        </span>
      ))}
    </span>
  );
}
