import { FileUp, Plus, SearchX } from "lucide-react";
import type { Metadata } from "next";
import { cookies } from "next/headers";
import type { SearchParams } from "nuqs/server";
import { Suspense } from "react";
import { countMatching, quoteChange, startChange } from "#app/(dashboard)/licenses/bulk/actions.ts";
import { filterOf, placeOf } from "#app/(dashboard)/licenses/view.ts";
import { SelectionBar } from "#components/bulk/selection-bar.tsx";
import { SelectionScope } from "#components/bulk/selection-scope.tsx";
import { COLUMNS_COOKIE } from "#components/license/license-columns.ts";
import { LicenseFilters } from "#components/license/license-filters.tsx";
import { LicenseListBar } from "#components/license/license-list-bar.tsx";
import { NoLicenses } from "#components/license/license-list-empty.tsx";
import { type LicenseView, licenseListHref, loadLicenseParams } from "#components/license/license-params.ts";
import { LicenseTable } from "#components/license/license-table.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { ListCard } from "#components/ui/list-card.tsx";
import { isFiltered } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, may, requireResellerUser } from "#lib/dashboard/session.ts";
import { parseLicenseColumns } from "#lib/domain/license-column.ts";
import { formatCursor } from "#lib/domain/license-order.ts";
import { listBundles } from "#lib/services/catalog/list-bundles.ts";
import { listProducts } from "#lib/services/catalog/list-products.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { countLicenses, listLicenses } from "#lib/services/license/list.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";

export const metadata: Metadata = { title: "Licenses" };

const PAGE_SIZE = 50;
/** Each license that a search counts has been read; and it is counted anew with each letter. */
const FOUND_COUNTED_AT_MOST = 1000;

const links = [{ href: "/licenses/import", icon: <FileUp aria-hidden className="size-3.5" />, label: "Import" }];

export default async function LicensesPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const [user, view, jar] = await Promise.all([
    requireResellerUser("licenses:read"),
    loadLicenseParams(searchParams),
    cookies(),
  ]);
  const ctx = contextOf(user);
  const { order, orders, after, before } = placeOf(view);
  const [page, products, bundles] = await Promise.all([
    listLicenses(ctx, { filter: filterOf(view), order, after, before, limit: PAGE_SIZE }),
    listProducts(ctx),
    listBundles(ctx),
  ]);
  const { licenses: rows, nextAfter, previousBefore } = page;
  const paged = nextAfter !== null || previousBefore !== null;
  const untouched = rows.length === 0 && !isFiltered(view) && after === null;
  const columns = parseLicenseColumns(jar.get(COLUMNS_COOKIE)?.value);
  const hrefWith = (change: Partial<LicenseView>) =>
    licenseListHref("/licenses", { ...view, after: null, before: null, ...change });
  const choices = orders.map((choice, index) => ({
    order: choice,
    href: hrefWith({ sort: index === 0 ? null : choice }),
  }));

  return (
    <>
      <PageHeader
        actions={
          !untouched && (
            <Allowed to="wallet:spend">
              <ButtonLink href="/licenses/new" icon={<Plus aria-hidden className="size-4" />} variant="primary">
                Register license
              </ButtonLink>
            </Allowed>
          )
        }
        links={untouched || !may(user, "wallet:spend") ? [] : links}
        title="Licenses"
      />
      {untouched ? (
        <Card flush>
          <NoLicenses payable={may(user, "wallet:spend") ? (await getBalance(ctx)).spendable > 0n : null} />
        </Card>
      ) : (
        <SelectionScope
          ids={rows.map(({ id }) => id)}
          noun="license"
          search={licenseListHref({ ...view, sort: null, after: null, before: null })}
        >
          <LicenseFilters
            bundles={bundles.map(({ bundleId, name }) => ({ bundleId, name }))}
            products={products.map(({ type, name }) => ({ type, name }))}
          />
          <ListCard
            count={rows.length}
            empty={{
              action: <ButtonLink href="/licenses">Show the newest</ButtonLink>,
              icon: <SearchX aria-hidden />,
              title: "There is nothing on this page",
            }}
            filter={
              isFiltered(view) && {
                clearHref: "/licenses",
                title: "No license matches",
                none: "The search looks for what a key, an address, or a word in a host name or note begins with.",
              }
            }
            head={
              <LicenseListBar
                columns={columns}
                count={
                  paged || after !== null ? (
                    <Suspense fallback="Counting…">
                      <Count ctx={ctx} view={view} />
                    </Suspense>
                  ) : (
                    countText(rows.length)
                  )
                }
                exportHref={licenseListHref("/licenses/export", { ...view, after: null, before: null })}
                order={order}
                orders={choices}
              />
            }
            pages={{
              nextHref: nextAfter && hrefWith({ after: formatCursor(nextAfter) }),
              previousHref: previousBefore && hrefWith({ before: formatCursor(previousBefore) }),
            }}
            summary={`${rows.length} on this page`}
          >
            <LicenseTable
              columns={columns}
              now={ctx.now()}
              order={order}
              orders={choices}
              rows={rows}
              selectable={may(user, "licenses:write")}
            />
          </ListCard>
          <SelectionBar count={countMatching} noun="license" paged={paged} quote={quoteChange} start={startChange} />
        </SelectionScope>
      )}
    </>
  );
}

/** Apart from the page, which does not wait for it. */
async function Count({ ctx, view }: { readonly ctx: ServiceContext; readonly view: LicenseView }) {
  const atMost = view.q === null ? {} : { atMost: FOUND_COUNTED_AT_MOST };
  const { count, more } = await countLicenses(ctx, { filter: filterOf(view), ...atMost });
  return more ? `More than ${count.toLocaleString("en-US")} licenses` : countText(count);
}

function countText(count: number): string {
  return count === 1 ? "1 license" : `${count.toLocaleString("en-US")} licenses`;
}
