import { EarlierAgentKeys } from "#app/(dashboard)/api-keys/earlier-agent-keys.tsx";
import { createForAgent } from "#app/(dashboard)/licenses/[id]/actions.ts";
import { idIn, orNone, orNotFound, orNull } from "#app/(dashboard)/or-not-found.ts";
import type { PageProps } from "#app/page-props.ts";
import { BundleActions } from "#components/bundle/bundle-actions.tsx";
import { describeBundle } from "#components/bundle/bundle-details.ts";
import { BundleFacts } from "#components/bundle/bundle-facts.tsx";
import { BundleNotice } from "#components/bundle/bundle-notice.tsx";
import { MemberTable } from "#components/bundle/member-table.tsx";
import { InstallAgent } from "#components/diagnostics/install-agent.tsx";
import { LicenseServerCard } from "#components/diagnostics/license-server-card.tsx";
import { assessAutoRenewal } from "#components/renewal/auto-renew.ts";
import { AutoRenewCard } from "#components/renewal/auto-renew-card.tsx";
import { RenewalFailure } from "#components/renewal/renewal-failure.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { StatusBadge } from "#components/ui/status-badge.tsx";
import { contextOf, may, requireResellerUser } from "#lib/dashboard/session.ts";
import type { Ipv4 } from "#lib/domain/ipv4.ts";
import { getBundleInstance } from "#lib/services/bundle/get.ts";
import { quoteBundleRenewals } from "#lib/services/bundle/quote-renewal.ts";
import { findServerState } from "#lib/services/diagnostics/get-server.ts";
import { getOperation } from "#lib/services/operation/get.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";
import { listRenewalFailures } from "#lib/services/renewals/list-failures.ts";
import { getReseller } from "#lib/services/reseller/get.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { changeAddress, renew, setAutoRenew } from "./actions.ts";

export default async function BundlePage({ params }: PageProps<"id">) {
  const [user, { id }] = await Promise.all([requireResellerUser("bundles:read"), params]);
  const ctx = contextOf(user);
  const instance = await orNotFound(getBundleInstance(ctx, { bundleInstanceId: idIn(id) }));
  const bundleInstanceId = instance.id;
  const firstMember = instance.members[0];
  const { openOperationId = null } = [instance, ...instance.members].find((one) => one.openOperationId !== null) ?? {};
  const [quotes, openOperation, renewalFailures, balance, reseller, server] = await Promise.all([
    orNone(quoteBundleRenewals(ctx, { bundleInstanceId })),
    openOperationId && orNull(getOperation(ctx, { operationId: openOperationId })),
    firstMember ? listRenewalFailures(ctx, { licenseId: firstMember.id, termEndsAt: instance.expiresAt }) : [],
    may(user, "wallet:spend") ? getBalance(ctx) : null,
    getReseller(ctx),
    findServerState(ctx, { address: instance.ipAddress as Ipv4 }),
  ]);
  const installable = instance.members.filter(
    ({ provisionedAt, terminatedAt }) => provisionedAt !== null && terminatedAt === null,
  );
  const current = quotes.find((quote) => quote.current) ?? null;
  const bundle = describeBundle({ ...instance, renewal: current }, openOperation, ctx.now());
  const renewal = assessAutoRenewal({ ...instance, busy: bundle.busy }, quotes, renewalFailures, reseller, ctx.now());
  const seen = { bundleInstanceId, seenVersion: versionOf(instance.members) };
  return (
    <>
      <PageHeader
        actions={
          <BundleActions
            balance={balance}
            bundle={bundle}
            changeAddress={changeAddress.bind(null, seen)}
            quotes={quotes}
            renew={renew.bind(null, seen)}
          />
        }
        badge={<StatusBadge status={bundle.status} />}
        heading={bundle.name}
        title={`Bundle ${bundleInstanceId}`}
        trail={[{ label: "Bundles", href: "/bundles" }]}
      />
      <div className="flex flex-col gap-5">
        <BundleNotice bundle={bundle} />
        <RenewalFailure balance={balance} renewal={renewal} />
        <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="flex min-w-0 flex-col gap-5">
            <BundleFacts bundle={bundle} />
            <MemberTable bundle={bundle} />
          </div>
          <div className="flex min-w-0 flex-col gap-5">
            {renewal.renewable && (
              <AutoRenewCard action={setAutoRenew.bind(null, { bundleInstanceId })} renewal={renewal} />
            )}
            <LicenseServerCard
              address={bundle.ipAddress}
              earlierKeys={<EarlierAgentKeys of={{ licenseIds: installable.map(({ id }) => id) }} user={user} />}
              install={
                installable.length > 0 && (
                  <InstallAgent
                    address={bundle.ipAddress}
                    create={createForAgent.bind(null, { licenseIds: installable.map(({ id }) => id) })}
                    product={bundle.name}
                    reportedAt={server?.report.reportedAt ?? null}
                  />
                )
              }
              server={server}
            />
          </div>
        </div>
      </div>
    </>
  );
}
