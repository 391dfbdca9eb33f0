import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import { ResellerHeader } from "#app/(dashboard)/resellers/[id]/header.tsx";
import type { PageProps } from "#app/page-props.ts";
import { BalanceCard } from "#components/overview/balance-card.tsx";
import { chooseRevenue } from "#components/overview/choose-revenue.ts";
import { LicenseStates } from "#components/overview/license-states.tsx";
import { RevenueCard } from "#components/overview/revenue-card.tsx";
import { loadRevenueParams } from "#components/overview/revenue-params.ts";
import { loadOpen } from "#components/reseller/reseller-params.ts";
import { Card } from "#components/ui/card.tsx";
import { DescriptionList } from "#components/ui/description-list.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { getOverview } from "#lib/services/overview/get.ts";
import { getRevenue } from "#lib/services/overview/revenue.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { getWalletRunway } from "#lib/services/wallet/runway.ts";

export default async function ResellerPage({ params, searchParams }: PageProps<"id">) {
  const [{ id }, view, { open }] = await Promise.all([params, loadRevenueParams(searchParams), loadOpen(searchParams)]);
  const looked = await requireReseller(id);
  const { ctx, reseller, path } = looked;
  const [overview, balance, runway, revenue] = await Promise.all([
    getOverview(ctx),
    getBalance(ctx),
    getWalletRunway(ctx),
    getRevenue(ctx, { resellerId: reseller.resellerId }),
  ]);
  return (
    <>
      <ResellerHeader of={looked} open={open} />
      <div className="flex flex-col gap-5">
        <LicenseStates countedAt={overview.countedAt} counts={overview.licenses} href={`${path}/licenses`} />
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <RevenueCard
            {...chooseRevenue(revenue, view, reseller.currency)}
            months={revenue.months}
            path={path}
            rows={revenue.products}
          />
          <div className="flex min-w-0 flex-col gap-5">
            <BalanceCard balance={balance} href={`${path}/wallet`} runway={runway} />
            <Card title="Reseller">
              <DescriptionList
                items={[
                  { term: "Currency", value: reseller.currency },
                  { term: "Since", value: <Timestamp format="date" value={reseller.createdAt} /> },
                  reseller.suspendedAt !== null && {
                    term: "Suspended",
                    value: <Timestamp value={reseller.suspendedAt} />,
                  },
                ]}
              />
            </Card>
          </div>
        </div>
      </div>
    </>
  );
}
