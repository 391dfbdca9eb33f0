"use client";
import { ArrowDownUp, Columns3, Download } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useOptimistic, useTransition } from "react";
import { buttonClassName } from "#components/ui/button-style.ts";
import { DropdownMenu } from "#components/ui/dropdown-menu.tsx";
import { MenuCheckboxItem, MenuItem, MenuSeparator } from "#components/ui/menu-item.tsx";
import { useRefresh } from "#components/ui/use-refresh.ts";
import {
  defaultLicenseColumns,
  formatLicenseColumns,
  type LicenseColumn,
  licenseColumns,
} from "#lib/domain/license-column.ts";
import type { LicenseOrder } from "#lib/domain/license-order.ts";
import { COLUMNS_COOKIE, columnNames } from "./license-columns.ts";
import { orderNames } from "./license-filter.ts";

const ONE_YEAR_SECONDS = 31_536_000;

export interface LicenseListBarProps {
  /** How many match. */
  readonly count: ReactNode;
  readonly order: LicenseOrder;
  /** The orders that this filter is offered in, and where each leads. */
  readonly orders: readonly { readonly order: LicenseOrder; readonly href: string }[];
  readonly columns: readonly LicenseColumn[];
  /** Null: there is nothing to sort, show or export. */
  readonly exportHref: string | null;
}

/** Right above the table: how many there are, in which order, with which columns, and all of them as a file. */
export function LicenseListBar({ count, order, orders, columns, exportHref }: LicenseListBarProps) {
  const router = useRouter();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 border-b py-1.5 pr-2 pl-4">
      <p className="tabular text-sm text-text-muted" role="status">
        {count}
      </p>
      {exportHref !== null && (
        <div className="flex items-center gap-0.5">
          <DropdownMenu
            label={`Order: ${orderNames[order]}`}
            trigger={
              <>
                <ArrowDownUp />
                {orderNames[order]}
              </>
            }
          >
            {orders.map((choice) => (
              <MenuItem
                checked={choice.order === order}
                key={choice.order}
                onSelect={() => router.push(choice.href, { scroll: false })}
              >
                {orderNames[choice.order]}
              </MenuItem>
            ))}
          </DropdownMenu>
          <ColumnMenu columns={columns} />
          {/* A file, not a page: the router must not fetch it. */}
          <a className={buttonClassName("ghost", "sm")} download href={exportHref}>
            <Download />
            <span>
              Export<span className="max-md:sr-only"> CSV</span>
            </span>
          </a>
        </div>
      )}
    </div>
  );
}

function ColumnMenu({ columns }: { readonly columns: readonly LicenseColumn[] }) {
  const refresh = useRefresh();
  const [, startTransition] = useTransition();
  const [shown, setShown] = useOptimistic(columns);

  function choose(chosen: readonly LicenseColumn[]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we support
    document.cookie = `${COLUMNS_COOKIE}=${formatLicenseColumns(chosen)}; path=/; max-age=${ONE_YEAR_SECONDS}; samesite=lax`;
    startTransition(() => {
      setShown(chosen);
      refresh();
    });
  }

  return (
    <DropdownMenu
      label="Columns"
      trigger={
        <>
          <Columns3 />
          <span className="max-md:sr-only">Columns</span>
        </>
      }
    >
      {licenseColumns.map((column) => (
        <MenuCheckboxItem
          checked={shown.includes(column)}
          key={column}
          onCheckedChange={(checked) =>
            choose(licenseColumns.filter((other) => (other === column ? checked : shown.includes(other))))
          }
        >
          {columnNames[column]}
        </MenuCheckboxItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => choose(defaultLicenseColumns)}>Reset columns</MenuItem>
    </DropdownMenu>
  );
}
