import { SearchX } from "lucide-react";
import { cookies } from "next/headers";
import { type ReactNode, Suspense } from "react";
import {
  countMatching,
  listMovable,
  quoteChange,
  startAddresses,
  startChange,
} from "#app/(dashboard)/licenses/bulk/actions.ts";
import { findNamed } from "#app/(dashboard)/licenses/suggest.ts";
import { filterOf, placeOf } from "#app/(dashboard)/licenses/view.ts";
import { findResellers } from "#app/(dashboard)/resellers/actions.ts";
import { findChosenReseller } from "#app/(dashboard)/resellers/chosen.ts";
import { SelectionBar } from "#components/bulk/selection-bar.tsx";
import { SelectionScope } from "#components/bulk/selection-scope.tsx";
import { COLUMNS_COOKIE } from "#components/license/license-columns.ts";
import { LicenseFilters } from "#components/license/license-filters.tsx";
import { LicenseListBar } from "#components/license/license-list-bar.tsx";
import { type LicenseView, licenseListHref } from "#components/license/license-params.ts";
import { LicenseTable } from "#components/license/license-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { countedText } from "#components/ui/counted-text.ts";
import { ListCard } from "#components/ui/list-card.tsx";
import { isFiltered } from "#components/ui/list-params.ts";
import { noneOf } from "#components/ui/no-match.tsx";
import { contextOf, may } from "#lib/dashboard/session.ts";
import { countText, numberText } from "#lib/domain/count-text.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { parseLicenseColumns } from "#lib/domain/license-column.ts";
import { formatCursor } from "#lib/domain/license-order.ts";
import { listPossibleMembers } from "#lib/services/catalog/get-bundle.ts";
import { listBundles } from "#lib/services/catalog/list-bundles.ts";
import { listProducts } from "#lib/services/catalog/list-products.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import {
  countAllLicenses,
  countLicenses,
  type LicenseCount,
  listAllLicenses,
  listLicenses,
} from "#lib/services/license/list.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";

/** Counting reads every match and runs on each keystroke, so it is capped. */
const FOUND_COUNTED_AT_MOST = 1000;

interface LicenseListScreenProps {
  readonly user: SignedInUser;
  readonly view: LicenseView;
  /** `/licenses`, or of one reseller's list, whose view names the reseller. */
  readonly pathname: string;
  readonly header: (untouched: boolean) => ReactNode;
  /** While there is no license at all. */
  readonly empty: ReactNode;
}

/** A reseller's licenses; for admins those of all resellers, or of the one that the view names. */
export async function LicenseListScreen({ user, view, pathname, header, empty }: LicenseListScreenProps) {
  const resellerId = user.kind === "admin" ? (view.reseller as ResellerId | null) : null;
  const ctx = contextOf(user, { forReseller: resellerId });
  const across = user.kind === "admin" && resellerId === null;
  const { order, orders, after, before } = placeOf(view);
  const list = across ? listAllLicenses : listLicenses;
  const [page, { products, bundles }, chosen, jar] = await Promise.all([
    list(ctx, { filter: filterOf(view), order, after, before }),
    readOffers(ctx, across),
    findChosenReseller(user, resellerId),
    cookies(),
  ]);
  const { next, previous } = page;
  const named = after === null && before === null ? await findNamed((input) => list(ctx, input), filterOf(view)) : [];
  const rows = [...named, ...page.rows.filter(({ id }) => id !== named[0]?.id)];
  const paged = next !== null || previous !== null;
  const isOfOne = pathname !== "/licenses";
  const filtered = isFiltered(isOfOne ? { ...view, reseller: null } : view);
  const untouched = rows.length === 0 && !filtered && after === null;
  const counted = paged || after !== null ? countView(ctx, view, across) : null;
  const columns = parseLicenseColumns(jar.get(COLUMNS_COOKIE)?.value);
  const shown = isOfOne ? { ...view, reseller: null } : view;
  const hrefWith = (change: Partial<LicenseView>) =>
    licenseListHref(pathname, { ...shown, after: null, before: null, ...change });
  const choices = orders.map((choice, index) => ({
    order: choice,
    href: hrefWith({ sort: index === 0 ? null : choice }),
  }));
  const selectable = may(user, "licenses:write");
  if (untouched) {
    return (
      <>
        {header(true)}
        <Card flush>{empty}</Card>
      </>
    );
  }
  return (
    <>
      {header(false)}
      <SelectionScope
        ids={rows.map(({ id }) => id)}
        noun="license"
        {...(user.kind === "admin" && {
          owners: rows.map((row) => ({ id: Number(row.resellerId), name: row.resellerName })),
        })}
        search={licenseListHref({ ...view, sort: null, after: null, before: null })}
      >
        <LicenseFilters
          bundles={bundles}
          products={products}
          resellers={user.kind === "admin" && !isOfOne ? { chosen, search: findResellers } : null}
        />
        <ListCard
          empty={{
            action: <ButtonLink href={pathname}>Show the newest</ButtonLink>,
            icon: <SearchX />,
            title: "There is nothing on this page",
          }}
          filter={{
            view: shown,
            clearHref: pathname,
            title: view.q === null ? "No license matches" : `No license matches “${view.q}”`,
            none: noneOf(
              view.q,
              "Try an ID, an address, the start or end of a key, or a word from the product, host name, customer, tags or notes.",
            ),
          }}
          head={
            <LicenseListBar
              columns={columns}
              count={
                counted !== null ? (
                  <Suspense fallback="Counting…">
                    <Count counted={counted} />
                  </Suspense>
                ) : (
                  countText(rows.length, "license", "licenses")
                )
              }
              exportHref={
                rows.length === 0 ? null : licenseListHref("/licenses/export", { ...view, after: null, before: null })
              }
              order={order}
              orders={choices}
            />
          }
          page={{
            rows,
            total: counted !== null && (
              <Suspense fallback="…">
                <Total counted={counted} />
              </Suspense>
            ),
          }}
          pages={{
            nextHref: next && hrefWith({ after: formatCursor(next) }),
            previousHref: previous && hrefWith({ before: formatCursor(previous) }),
          }}
        >
          <LicenseTable
            columns={columns}
            hrefOf={hrefWith}
            now={ctx.now()}
            order={order}
            orders={choices}
            resellers={across}
            rows={rows}
            searched={view.q}
            selectable={selectable}
          />
        </ListCard>
        {selectable && (
          <SelectionBar
            addresses={{ list: listMovable, start: startAddresses }}
            count={countMatching}
            noun="license"
            paged={paged}
            quote={quoteChange}
            start={startChange}
          />
        )}
      </SelectionScope>
    </>
  );
}

/** To filter by. */
async function readOffers(ctx: ServiceContext, across: boolean) {
  if (across) {
    const products = await listPossibleMembers(ctx);
    return { products: products.map(({ slug, name }) => ({ type: slug, name })), bundles: [] };
  }
  const [products, bundles] = await Promise.all([listProducts(ctx), listBundles(ctx)]);
  return {
    products: products.map(({ type, name }) => ({ type, name })),
    bundles: bundles.map(({ bundleId, name }) => ({ bundleId, name })),
  };
}

/** Streamed separately so the page is not blocked by the count. */
function countView(ctx: ServiceContext, view: LicenseView, across: boolean): Promise<LicenseCount> {
  const atMost = view.q === null ? {} : { atMost: FOUND_COUNTED_AT_MOST };
  const counted = (across ? countAllLicenses : countLicenses)(ctx, { filter: filterOf(view), ...atMost });
  // Whoever awaits it reports the failure; the page may end before that.
  counted.catch(() => {});
  return counted;
}

interface CountProps {
  readonly counted: Promise<LicenseCount>;
}

async function Count({ counted }: CountProps) {
  const { count, more } = await counted;
  return more ? `More than ${numberText(count)} licenses` : countText(count, "license", "licenses");
}

async function Total({ counted }: CountProps) {
  const { count, more } = await counted;
  return countedText(more ? count + 1 : count, count);
}
