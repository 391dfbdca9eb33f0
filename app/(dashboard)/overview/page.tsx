import { readBalance } from "#app/(dashboard)/actions.ts";
import type { PageProps } from "#app/page-props.ts";
import { ActivityCard } from "#components/overview/activity-card.tsx";
import { AttentionCard } from "#components/overview/attention-card.tsx";
import { BalanceCard } from "#components/overview/balance-card.tsx";
import { FirstStepsCard } from "#components/overview/first-steps-card.tsx";
import { supplyHealth, webhookHealth } from "#components/overview/health.ts";
import { HealthCard } from "#components/overview/health-card.tsx";
import { LicenseStates } from "#components/overview/license-states.tsx";
import { loadRevenueParams } from "#components/overview/revenue-params.ts";
import { SpendCard } from "#components/overview/spend-card.tsx";
import { CreateLink } from "#components/shell/create-link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { FollowBalance } from "#components/wallet/follow-balance.tsx";
import { contextOf, requireUserWith } from "#lib/dashboard/session.ts";
import { countOwnServerProblems } from "#lib/services/diagnostics/count-problems.ts";
import { checksOf } from "#lib/services/diagnostics/get-server.ts";
import { listServers } from "#lib/services/diagnostics/list-servers.ts";
import { getOverview } from "#lib/services/overview/get.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { getWalletRunway } from "#lib/services/wallet/runway.ts";
import { listWebhookEndpoints } from "#lib/services/webhook/list.ts";
import { summarizeWebhookActivity } from "#lib/services/webhook/stats.ts";
import { dismissFirstSteps } from "./actions.ts";
import { AdminOverview } from "./admin-screen.tsx";
import { listAlerts } from "./alerts.ts";
import { listFirstSteps } from "./first-steps.ts";

const DAY_MS = 86_400_000;
const SERVERS_SHOWN = 3;

export default async function OverviewPage({ searchParams }: PageProps) {
  const user = await requireUserWith("wallet:read");
  if (user.kind === "admin") return <AdminOverview user={user} view={await loadRevenueParams(searchParams)} />;
  const ctx = contextOf(user);
  const [overview, balance, runway, endpoints, activity, servers, { rows: listed }] = await Promise.all([
    getOverview(ctx),
    getBalance(ctx),
    getWalletRunway(ctx),
    listWebhookEndpoints(ctx),
    summarizeWebhookActivity(ctx, { since: new Date(ctx.now().getTime() - DAY_MS) }),
    countOwnServerProblems(ctx),
    listServers(ctx, { filter: {}, after: null, limit: SERVERS_SHOWN }),
  ]);
  const firstSteps = await listFirstSteps(overview.firstSteps, user);
  const worstServers = listed.map((server) => ({ ...server, checks: checksOf(server, ctx.now()) }));
  const alerts = listAlerts({
    alerts: overview.alerts,
    failing: overview.failingVerifications,
    balance,
    runway,
    endpoints,
    servers,
    worstServers,
  });
  const begun = overview.firstSteps.license;
  const attention = (
    <AttentionCard
      alerts={alerts}
      none={
        begun
          ? "Nothing. Renewals, changes and deliveries are all going as they should."
          : "Nothing yet. Renewals that fail, licenses about to lapse and webhooks that do not arrive will show up here."
      }
    />
  );
  const stepsLead = firstSteps.length > 0 && !begun;
  return (
    <>
      <PageHeader
        actions={
          <CreateLink href="/licenses/new" to="wallet:spend" variant={stepsLead ? "secondary" : "primary"}>
            Register license
          </CreateLink>
        }
        title="Overview"
      />
      <FollowBalance read={readBalance} shown={balance} />
      <div className="flex flex-col gap-5">
        {alerts.length > 0 && attention}
        {firstSteps.length > 0 && <FirstStepsCard dismiss={dismissFirstSteps} leading={stepsLead} steps={firstSteps} />}
        <LicenseStates countedAt={overview.countedAt} counts={overview.licenses} />
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex min-w-0 flex-col gap-5">
            {alerts.length === 0 && attention}
            <SpendCard currency={balance.currency} months={overview.months} spend={overview.spend} />
            <ActivityCard events={overview.recent} />
          </div>
          <div className="flex min-w-0 flex-col gap-5 max-lg:order-first">
            <BalanceCard balance={balance} runway={runway} />
            <HealthCard lines={[supplyHealth(overview.supply), ...webhookHealth(endpoints, activity)]} />
          </div>
        </div>
      </div>
    </>
  );
}
