import { Boxes } from "lucide-react";
import { SelectPage, SelectRow } from "#components/bulk/selection-scope.tsx";
import { atEnd } from "#components/ui/column.ts";
import { Highlight } from "#components/ui/highlight.tsx";
import { ObjectId } from "#components/ui/object-id.tsx";
import { Cell, Row, RowControl, RowLink, Table } from "#components/ui/table.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { formatLicenseId } from "#lib/domain/ids.ts";
import { formatTags, nameCustomer } from "#lib/domain/labels.ts";
import type { LicenseColumn } from "#lib/domain/license-column.ts";
import type { LicenseOrder } from "#lib/domain/license-order.ts";
import { excerptOf, findMatches, type SearchWord, toSearchWords } from "#lib/domain/search-text.ts";
import type { LicenseListItem } from "#lib/services/license/list.ts";
import { LicenseCell } from "./license-cell.tsx";
import { columnNames } from "./license-columns.ts";
import { LabelLine, type LabelProps, TAGS_SHOWN } from "./license-labels.tsx";
import { licenseListHref } from "./license-params.ts";

export interface LicenseTableProps {
  readonly rows: readonly LicenseListItem[];
  readonly now: Date;
  /** Beside the product. */
  readonly columns: readonly LicenseColumn[];
  readonly order: LicenseOrder;
  /** The orders that this filter is offered in, and where each leads. */
  readonly orders: readonly { readonly order: LicenseOrder; readonly href: string }[];
  /** The rows have boxes; needs a SelectionScope around it. */
  readonly selectable?: boolean;
  /** They belong to several resellers, who are named. */
  readonly resellers?: boolean;
  /** What the list is searched for: rows show where it matches. */
  readonly searched?: string | null;
  /** In a place that these columns may not fit into. */
  readonly scrolls?: boolean;
  /** The list filtered by a label; by default that of all licenses. */
  readonly hrefOf?: LabelProps["hrefOf"];
}

export function LicenseTable(props: LicenseTableProps) {
  const { rows, now, columns, order, orders, selectable = false, resellers = false } = props;
  const { hrefOf = (filter) => licenseListHref("/licenses", filter) } = props;
  const words = toSearchWords(props.searched ?? "");
  const { scrolls = columns.length + (resellers ? 2 : 0) > COLUMNS_THAT_FIT } = props;
  const head = (
    <>
      <SelectPage />
      <span className="max-md:hidden">License</span>
    </>
  );
  return (
    <Table
      columns={[
        selectable ? { name: "License", head } : "License",
        resellers && "Reseller",
        ...columns.map((column) =>
          column === "cores"
            ? atEnd(columnNames.cores)
            : { name: columnNames[column], ...sortOf(column, order, orders) },
        ),
      ]}
      label="Licenses"
      scrolls={scrolls}
    >
      {rows.map((row) => (
        <Row key={row.id}>
          <Cell phone="title">
            <span className="flex items-start md:items-center">
              {selectable && <SelectRow id={row.id} label={formatLicenseId(row.id)} />}
              <span>
                <span className="mr-1.5 md:whitespace-nowrap">
                  <RowLink href={`/licenses/${row.id}`}>
                    <Highlight text={row.productName} words={words} />
                  </RowLink>
                  {row.bundleInstanceId !== null && !columns.includes("bundle") && (
                    <>
                      {NO_BREAK}
                      <span className="inline-flex align-[-2px] text-text-muted" title="Part of a bundle">
                        <Boxes className="size-3.5" />
                        <span className="sr-only">, part of a bundle</span>
                      </span>
                    </>
                  )}
                </span>
                <ObjectId className="inline-block xl:in-data-scrolls:block max-xl:hidden @max-3xl:hidden">
                  <Highlight text={formatLicenseId(row.id)} words={words} />
                </ObjectId>
                <LabelLine columns={columns} hrefOf={hrefOf} labels={row} words={words} />
                <LicenseMatch columns={columns} row={row} words={words} />
              </span>
            </span>
          </Cell>
          {resellers && (
            <Cell label="Reseller">
              <RowControl>
                <TextLink
                  className="max-md:wrap-anywhere md:block md:min-w-24 md:max-w-36 md:truncate"
                  href={`/resellers/${row.resellerId}`}
                >
                  {row.resellerName}
                </TextLink>
              </RowControl>
            </Cell>
          )}
          {columns.map((column) => (
            <LicenseCell column={column} hrefOf={hrefOf} key={column} now={now} row={row} words={words} />
          ))}
        </Row>
      ))}
    </Table>
  );
}

/** The names of resellers take the room of two. */
const COLUMNS_THAT_FIT = 5;
/** Keeps the icon on a line with the last word. */
const NO_BREAK = "\u00a0";

/** The two orders that a column's head turns between; the first is what its first press brings. */
const columnOrders: Partial<Record<LicenseColumn, readonly [ascending: LicenseOrder, descending: LicenseOrder]>> = {
  server: ["address", "address_last"],
  expires: ["ends_first", "ends_last"],
  registered: ["oldest", "newest"],
};

function sortOf(column: LicenseColumn, order: LicenseOrder, orders: LicenseTableProps["orders"]) {
  const [ascending, descending] = columnOrders[column] ?? [];
  const next = orders.find((choice) => choice.order === (order === ascending ? descending : ascending));
  const other = orders.find((choice) => choice.order === descending);
  const target = next ?? other;
  if (ascending === undefined || target === undefined) return {};
  const direction = order === ascending ? "ascending" : order === descending ? "descending" : null;
  return { sort: { href: target.href, direction } } as const;
}

interface LicenseMatchProps {
  readonly row: LicenseListItem;
  readonly columns: readonly LicenseColumn[];
  readonly words: readonly SearchWord[];
}

/** Why a search found the license, where no column shows it. */
function LicenseMatch({ row, columns, words }: LicenseMatchProps) {
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
