import { notFound } from "next/navigation";
import { EarlierAgentKeys } from "#app/(dashboard)/api-keys/earlier-agent-keys.tsx";
import { createForAgent } from "#app/(dashboard)/licenses/[id]/actions.ts";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import type { PageProps } from "#app/page-props.ts";
import { InstallAgent } from "#components/diagnostics/install-agent.tsx";
import { fillDays } from "#components/diagnostics/server.ts";
import { ServerBadge } from "#components/diagnostics/server-badge.tsx";
import { ServerFacts } from "#components/diagnostics/server-facts.tsx";
import { ServerLicenses } from "#components/diagnostics/server-licenses.tsx";
import { TrendCard } from "#components/diagnostics/trend-card.tsx";
import { licenseListHref } from "#components/license/license-params.ts";
import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { parseSizeMb } from "#lib/domain/diagnostics.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import { worstSeverity } from "#lib/domain/server-checks.ts";
import { getServer, getServerTrend } from "#lib/services/diagnostics/get-server.ts";
import { listLicenses } from "#lib/services/license/list.ts";
import { ServerChecks } from "./checks.tsx";

const TREND_DAYS = 30;
const LICENSES_SHOWN = 20;
const trail = [{ label: "Diagnostics", href: "/diagnostics" }];

export default async function ServerPage({ params }: PageProps<"address">) {
  const [user, { address: text }] = await Promise.all([requireResellerUser("diagnostics:read"), params]);
  const ctx = contextOf(user);
  const address = parseIpv4(text) ?? notFound();
  const found = await orNotFound(getServer(ctx, { address }));
  const [{ rows: licenses, next }, trend] = await Promise.all([
    listLicenses(ctx, { filter: { ipAddress: address }, order: "newest", after: null, limit: LICENSES_SHOWN }),
    getServerTrend(ctx, { address, days: TREND_DAYS }),
  ]);
  const installable = licenses.filter(
    ({ provisionedAt, terminatedAt }) => provisionedAt !== null && terminatedAt === null,
  );
  const licenseIds = installable.map(({ id }) => id);
  const install = installable.length > 0 && (
    <div className="flex flex-col gap-3">
      <EarlierAgentKeys of={{ licenseIds }} user={user} />
      <InstallAgent
        address={address}
        create={createForAgent.bind(null, { licenseIds })}
        leading={found === null}
        product={[...new Set(installable.map(({ productName }) => productName))].join(", ")}
        reportedAt={found?.report.reportedAt ?? null}
      />
    </div>
  );
  const title = `Server ${address}`;
  const allHref = next && licenseListHref("/licenses", { address });
  const licensesCard = <ServerLicenses allHref={allHref} now={ctx.now()} rows={licenses} />;
  if (found === null) {
    return (
      <>
        <PageHeader heading={address} title={title} trail={trail} />
        <div className="flex flex-col gap-5">
          {install && (
            <Card description="No report has come from this server yet." title="Install the agent">
              {install}
            </Card>
          )}
          {licensesCard}
        </div>
      </>
    );
  }
  const { report, checks } = found;
  return (
    <>
      <PageHeader
        badge={<ServerBadge severity={worstSeverity(checks)} />}
        heading={report.hostname}
        title={title}
        trail={trail}
      />
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <ServerChecks checks={checks} ctx={ctx} report={report} />
          <TrendCard days={fillDays(trend.firstDay, TREND_DAYS, trend.rows)} />
          {licensesCard}
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <ServerFacts diskFreeMb={parseSizeMb(report.diskFree)} facts={report} memoryMb={parseSizeMb(report.memory)} />
          {install && (
            <div id="install">
              <Card title="Install the agent again">{install}</Card>
            </div>
          )}
        </div>
      </div>
    </>
  );
}
