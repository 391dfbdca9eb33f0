import { CircleCheck } from "lucide-react";
import { Suspense } from "react";
import { AttentionCard } from "#components/overview/attention-card.tsx";
import { chooseRevenue } from "#components/overview/choose-revenue.ts";
import { EarnedFigures } from "#components/overview/earned-figures.tsx";
import { EarnedTable } from "#components/overview/earned-table.tsx";
import { HealthCard } from "#components/overview/health-card.tsx";
import { RevenueCard } from "#components/overview/revenue-card.tsx";
import { providerHealth } from "#components/provider/provider-health.ts";
import { CreateLink } from "#components/shell/create-link.tsx";
import { SystemChecks } from "#components/system/system-checks.tsx";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { CardLink } from "#components/ui/text-link.tsx";
import { contextOf } from "#lib/dashboard/session.ts";
import { countText } from "#lib/domain/count-text.ts";
import type { Currency } from "#lib/domain/money.ts";
import { listPriceCurrencies } from "#lib/services/catalog/list-catalog.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { getRevenue, listTopResellers } from "#lib/services/overview/revenue.ts";
import { getWaiting } from "#lib/services/overview/waiting.ts";
import { listProviders } from "#lib/services/provider/list.ts";
import { getSystem } from "#lib/services/system/get.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";
import { listAdminAlerts } from "./admin-alerts.ts";

const PATH = "/overview";
const MAX_RESELLERS = 10;

interface AdminOverviewProps {
  readonly user: SignedInUser;
  readonly view: { readonly currency: string | null; readonly month: string | null };
}

/** What admins begin at: what waits for them, what was earned, and whether everything works. */
export async function AdminOverview({ user, view }: AdminOverviewProps) {
  const ctx = contextOf(user);
  const [waiting, revenue, providers, [fallback = "USD"]] = await Promise.all([
    getWaiting(ctx),
    getRevenue(ctx, { resellerId: null }),
    listProviders(ctx),
    listPriceCurrencies(ctx),
  ]);
  const chosen = chooseRevenue(revenue, view, fallback);
  const { month, currency } = chosen;
  const resellers = await listTopResellers(ctx, { month, currency: currency as Currency, limit: MAX_RESELLERS });
  return (
    <>
      <PageHeader
        actions={
          <CreateLink href="/resellers/new" to="resellers:write">
            Create reseller
          </CreateLink>
        }
        title="Overview"
      />
      <div className="flex flex-col gap-5">
        <EarnedFigures {...chosen} rows={revenue.products} />
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex min-w-0 flex-col gap-5">
            <AttentionCard alerts={listAdminAlerts(waiting)} none="Nothing is waiting for a decision." />
            <RevenueCard {...chosen} months={revenue.months} path={PATH} rows={revenue.products} />
            <Card
              actions={<CardLink href="/resellers">All resellers</CardLink>}
              description="Highest revenue in the chosen month"
              title="Resellers"
            >
              <EarnedTable
                currency={currency}
                first="Reseller"
                label="Revenue by reseller"
                lines={resellers.map((row) => ({ ...row, href: `/resellers/${row.resellerId}` }))}
              />
            </Card>
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            <HealthCard lines={providers.map(providerHealth)} title="Providers" />
            <Card actions={<CardLink href="/system">System</CardLink>} title="Checks">
              <Suspense fallback={<Skeleton className="h-40" />}>
                <Checks ctx={ctx} />
              </Suspense>
            </Card>
          </div>
        </div>
      </div>
    </>
  );
}

/** What fails, but open cases, which need attention already; the system page has all. Streamed separately: they count much. */
async function Checks({ ctx }: { readonly ctx: ServiceContext }) {
  const system = await getSystem(ctx);
  const checks = system.checks.filter(({ name }) => name !== "cases");
  const passed = checks.filter(({ status }) => status === "ok").length;
  return (
    <>
      <SystemChecks checks={checks.filter(({ status }) => status !== "ok")} />
      {passed > 0 && (
        <p className="flex items-center gap-2 py-1.5 text-sm text-text-muted">
          <CircleCheck className="size-4 shrink-0 text-positive" />
          {passed === checks.length ? `All ${passed} checks pass` : countText(passed, "check passes", "checks pass")}
        </p>
      )}
    </>
  );
}
