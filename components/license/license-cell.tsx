import { Boxes } from "lucide-react";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { cx } from "#components/ui/cx.ts";
import { Highlight } from "#components/ui/highlight.tsx";
import { StatusBadge } from "#components/ui/status-badge.tsx";
import { Cell, RowControl } from "#components/ui/table.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { formatLicenseId } from "#lib/domain/ids.ts";
import { nameCustomer } from "#lib/domain/labels.ts";
import type { LicenseColumn } from "#lib/domain/license-column.ts";
import { deriveLicenseStatus, type LicenseStatus } from "#lib/domain/license-status.ts";
import type { SearchWord } from "#lib/domain/search-text.ts";
import type { LicenseListItem } from "#lib/services/license/list.ts";
import { columnNames } from "./license-columns.ts";
import { CustomerLink, type LabelProps, RowTags } from "./license-labels.tsx";

interface LicenseCellProps {
  readonly column: LicenseColumn;
  readonly row: LicenseListItem;
  readonly now: Date;
  /** What the list is searched for. */
  readonly words: readonly SearchWord[];
  readonly hrefOf: LabelProps["hrefOf"];
}

/** What a column says of a license. */
export function LicenseCell({ column, row, now, words, hrefOf }: LicenseCellProps) {
  const status = deriveLicenseStatus(row, now);
  const label = columnNames[column];
  switch (column) {
    case "server":
      return (
        <Cell label={label}>
          <span className="wrap-anywhere inline-block text-right md:min-w-44 md:in-data-scrolls:max-w-48 md:text-left">
            {row.hostname !== "" && (
              <span
                className="mr-2 md:in-data-scrolls:mr-0 md:in-data-scrolls:block md:in-data-scrolls:truncate"
                title={row.hostname}
              >
                <Highlight text={row.hostname} words={words} />
              </span>
            )}
            <span
              className={cx(
                "whitespace-nowrap font-mono text-xs md:in-data-scrolls:block print:block md:@max-5xl:block",
                row.hostname !== "" && "text-text-muted",
              )}
            >
              <Highlight text={row.ipAddress} words={words} />
            </span>
          </span>
        </Cell>
      );
    case "key":
      return (
        <Cell label={label} mono>
          <RowControl>
            <span className="whitespace-nowrap">
              <Highlight text={row.key} words={words} />
            </span>
            <CopyButton label={`Copy the key of ${formatLicenseId(row.id)}`} value={row.key} />
          </RowControl>
        </Cell>
      );
    case "status":
      return (
        <Cell phone="corner">
          <StatusBadge status={status} />
        </Cell>
      );
    case "expires":
      return (
        <Cell label={label} muted>
          {/* On paper, browsers do not ask how wide the table's place is. */}
          <span className="whitespace-nowrap print:whitespace-normal @max-3xl:whitespace-normal md:in-data-scrolls:whitespace-normal">
            {status !== "terminated" && (
              <>
                <span className="mr-1 whitespace-nowrap text-text">
                  <Timestamp format="relative" value={row.expiresAt} />
                </span>{" "}
              </>
            )}
            <span className="whitespace-nowrap">
              <Timestamp format="date" value={row.expiresAt} />
            </span>
          </span>
        </Cell>
      );
    case "cores":
      return (
        <Cell align="end" empty={row.cores === null} label={label}>
          {row.cores}
        </Cell>
      );
    case "bundle":
      return (
        <Cell empty={row.bundleInstanceId === null} label={label}>
          <RowControl>
            <Boxes className="mr-1.5 size-3.5 shrink-0 text-text-muted" />
            <TextLink href={`/bundles/${row.bundleInstanceId}`}>{row.bundleName ?? "Bundle"}</TextLink>
          </RowControl>
        </Cell>
      );
    case "renewal":
      return (
        <Cell label={label} muted>
          <span className="whitespace-nowrap">{renewalText(row, status)}</span>
        </Cell>
      );
    case "cycle":
      return (
        <Cell label={label} muted>
          <span className="whitespace-nowrap">{row.cycleName}</span>
        </Cell>
      );
    case "registered":
      return (
        <Cell label={label} muted>
          <span className="whitespace-nowrap">
            <Timestamp format="date" value={row.issuedAt} />
          </span>
        </Cell>
      );
    case "customer":
      return (
        <Cell empty={nameCustomer(row) === ""} label={label}>
          <RowControl>
            <CustomerLink hrefOf={hrefOf} labels={row} words={words} />
          </RowControl>
        </Cell>
      );
    case "tags":
      return (
        <Cell empty={row.tags.length === 0} label={label}>
          <RowControl>
            <RowTags hrefOf={hrefOf} labels={row} words={words} />
          </RowControl>
        </Cell>
      );
    case "notes":
      return (
        <Cell empty={row.notes === ""} label={label}>
          <span className="line-clamp-2 max-w-64 text-pretty md:min-w-40" title={row.notes}>
            <Highlight text={row.notes} words={words} />
          </span>
        </Cell>
      );
    default:
      return column satisfies never;
  }
}

function renewalText({ autoRenew, bundleInstanceId }: LicenseListItem, status: LicenseStatus): string {
  if (status === "terminated") return "Never again";
  if (bundleInstanceId !== null) return autoRenew ? "With its bundle" : "With its bundle, by hand";
  return autoRenew ? "Automatic" : "By hand";
}
