import { Boxes } from "lucide-react";
import { countBundles, quoteChange, startChange } from "#app/(dashboard)/bundles/bulk/actions.ts";
import type { PageProps } from "#app/page-props.ts";
import { SelectionBar } from "#components/bulk/selection-bar.tsx";
import { SelectionScope } from "#components/bulk/selection-scope.tsx";
import { BundleOffers } from "#components/bundle/bundle-offers.tsx";
import { BundleTable } from "#components/bundle/bundle-table.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { countedText } from "#components/ui/counted-text.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { loadSearch, onward, searchHref } from "#components/ui/list-params.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Pagination } from "#components/ui/pagination.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import { countOwnBundleInstances, listOwnBundleInstances } from "#lib/services/bundle/list.ts";
import { listBundles } from "#lib/services/catalog/list-bundles.ts";

const PATHNAME = "/bundles";
const PAGE_SIZE = 25;

export default async function BundlesPage({ searchParams }: PageProps) {
  const [user, { before }] = await Promise.all([requireResellerUser("bundles:read"), loadSearch(searchParams)]);
  const ctx = contextOf(user);
  const [offers, { rows: instances, next }] = await Promise.all([
    listBundles(ctx),
    listOwnBundleInstances(ctx, { before, limit: PAGE_SIZE }),
  ]);
  const paged = before !== null || next !== null;
  const total = paged ? countedText(await countOwnBundleInstances(ctx), MAX_BULK_ITEMS) : null;
  return (
    <>
      <PageHeader description="Several licenses for one server, at one price and with one term." title="Bundles" />
      <SelectionScope ids={instances.map(({ id }) => id)} noun="bundle" search="">
        <div className="flex flex-col gap-6">
          <Card flush title="Your bundles">
            <div className="border-t">
              {instances.length > 0 ? (
                <BundleTable now={ctx.now()} rows={instances} />
              ) : (
                <EmptyState
                  action={before !== null && <ButtonLink href={PATHNAME}>Show the newest</ButtonLink>}
                  description={before === null && "The bundles that you register are listed here."}
                  icon={<Boxes />}
                  title={before === null ? "No bundles yet" : "There is nothing on this page"}
                />
              )}
            </div>
            <Pagination
              {...onward((before) => searchHref(PATHNAME, { before }), before, next)}
              count={instances.length}
              total={total}
            />
          </Card>
          <section aria-labelledby="available">
            <h2 className="mb-3 font-semibold text-lg" id="available">
              Available
            </h2>
            {offers.length > 0 ? (
              <BundleOffers bundles={offers} />
            ) : (
              <Card>
                <p className="text-sm text-text-muted">
                  No bundle has a price in your currency yet. Ask a License Desk administrator.
                </p>
              </Card>
            )}
          </section>
        </div>
        <SelectionBar count={countBundles} noun="bundle" paged={paged} quote={quoteChange} start={startChange} />
      </SelectionScope>
    </>
  );
}
