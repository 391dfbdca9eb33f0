import { EarlierAgentKeys } from "#app/(dashboard)/api-keys/earlier-agent-keys.tsx";
import { orNone, orNull } from "#app/(dashboard)/or-not-found.ts";
import { advance } from "#app/(dashboard)/test-mode/actions.ts";
import type { PageProps } from "#app/page-props.ts";
import { InstallAgent } from "#components/diagnostics/install-agent.tsx";
import { LicenseServerCard } from "#components/diagnostics/license-server-card.tsx";
import { ChangeAddress } from "#components/license/change-address.tsx";
import { ChangeCores } from "#components/license/change-cores.tsx";
import { EditCustomer, EditNotes, EditTags } from "#components/license/edit-details.tsx";
import { LicenseActions } from "#components/license/license-actions.tsx";
import { describeLicense } from "#components/license/license-details.ts";
import { LicenseFacts } from "#components/license/license-facts.tsx";
import { LicenseHistory } from "#components/license/license-history.tsx";
import { LicenseNotice } from "#components/license/license-notice.tsx";
import { licenseListHref } from "#components/license/license-params.ts";
import { LiftSuspension } from "#components/license/suspend-dialogs.tsx";
import { countByDay, markRebindable } from "#components/license/verification.ts";
import { VerificationCard } from "#components/license/verification-card.tsx";
import { VerifySnippet } from "#components/license/verify-snippet.tsx";
import { assessAutoRenewal } from "#components/renewal/auto-renew.ts";
import { AutoRenewCard } from "#components/renewal/auto-renew-card.tsx";
import { RenewalFailure } from "#components/renewal/renewal-failure.tsx";
import { AdvanceCard } from "#components/sandbox/advance-card.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { StatusBadge } from "#components/ui/status-badge.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { publicApiUrl } from "#lib/dashboard/public-url.ts";
import { may } from "#lib/dashboard/session.ts";
import type { Ipv4 } from "#lib/domain/ipv4.ts";
import { nameCustomer } from "#lib/domain/labels.ts";
import { findServerState } from "#lib/services/diagnostics/get-server.ts";
import { getLicenseHistory } from "#lib/services/license/history.ts";
import { quoteRenewals } from "#lib/services/license/quote-renewal.ts";
import { listVerifications, summarizeVerifications } from "#lib/services/license/verifications.ts";
import { getOperation } from "#lib/services/operation/get.ts";
import { listRenewalFailures } from "#lib/services/renewals/list-failures.ts";
import { getReseller } from "#lib/services/reseller/get.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { createForAgent, renew, setAutoRenew, suspend, unsuspend } from "./actions.ts";
import {
  changeAddress,
  changeCores,
  readCoreQuote,
  setCustomer,
  setNotes,
  setTags,
  terminate,
} from "./change-actions.ts";
import { findLicense, HISTORY_LENGTH } from "./find.ts";
import { OfReseller } from "./of-reseller.tsx";
import { failureCodes } from "./verification-params.ts";

const SUMMARY_DAYS = 30;
const FAILURES_SHOWN = 5;

export default async function LicensePage({ params }: PageProps<"id">) {
  const shown = await findLicense((await params).id);
  const { user, ctx, license, viewed, seen } = shown;
  const licenseId = license.id;
  const { openOperationId } = license;
  const [history, renewalFailures, quotes, openOperation, balance, reseller, { firstDay, counts }, failures, server] =
    await Promise.all([
      getLicenseHistory(ctx, { licenseId, limit: HISTORY_LENGTH }),
      listRenewalFailures(ctx, { licenseId, termEndsAt: license.expiresAt }),
      orNone(quoteRenewals(ctx, { licenseId })),
      openOperationId && orNull(getOperation(ctx, { operationId: openOperationId })),
      may(user, "wallet:spend") ? getBalance(ctx) : null,
      getReseller(ctx),
      summarizeVerifications(ctx, { licenseId, days: SUMMARY_DAYS }),
      listVerifications(ctx, { licenseId, codes: failureCodes, before: null, limit: FAILURES_SHOWN }),
      findServerState(ctx, { address: license.ipAddress as Ipv4 }),
    ]);
  const listPath = user.kind === "admin" ? `/resellers/${reseller.resellerId}/licenses` : "/licenses";
  const details = describeLicense(license, quotes, openOperation, ctx.now());
  const renewal = assessAutoRenewal({ ...license, busy: details.busy }, quotes, renewalFailures, reseller, ctx.now());

  return (
    <OfReseller of={shown}>
      <PageHeader
        actions={
          <LicenseActions
            balance={balance}
            license={details}
            quotes={quotes}
            renew={renew.bind(null, seen)}
            suspend={suspend.bind(null, viewed)}
            terminate={terminate.bind(null, seen)}
            unsuspend={unsuspend.bind(null, viewed)}
          />
        }
        badge={<StatusBadge status={details.status} />}
        description={
          user.kind === "admin" && (
            <>
              License of <TextLink href={`/resellers/${reseller.resellerId}`}>{reseller.name}</TextLink>
            </>
          )
        }
        heading={details.product}
        title={`License ${details.id}`}
        trail={[{ label: "Licenses", href: "/licenses" }]}
      />
      <div className="flex flex-col gap-5">
        <LicenseNotice
          license={details}
          lift={
            <LiftSuspension
              license={details}
              suspend={suspend.bind(null, viewed)}
              unsuspend={unsuspend.bind(null, viewed)}
            />
          }
        />
        <RenewalFailure balance={balance} renewal={renewal} />
        {/* In the order of phones; wider, auto-renew and history are beside the rest. */}
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem] lg:grid-rows-[auto_1fr_auto]">
          <div className="lg:row-span-2">
            <LicenseFacts
              changeAddress={
                <Allowed to="licenses:write">
                  <ChangeAddress action={changeAddress.bind(null, seen)} license={details} />
                </Allowed>
              }
              changeCores={
                balance && (
                  <ChangeCores
                    action={changeCores.bind(null, seen)}
                    balance={balance}
                    license={details}
                    readQuote={readCoreQuote.bind(null, viewed)}
                  />
                )
              }
              customer={
                <EditCustomer
                  action={setCustomer.bind(null, { ...viewed, licenseId })}
                  customerEmail={details.customerEmail}
                  customerName={details.customerName}
                  customerReference={details.customerReference}
                  href={licenseListHref(listPath, { customer: nameCustomer(details) })}
                  seenVersion={seen.seenVersion}
                />
              }
              license={details}
              notes={
                <EditNotes
                  action={setNotes.bind(null, { ...viewed, licenseId })}
                  notes={details.notes}
                  seenVersion={seen.seenVersion}
                />
              }
              tags={
                <EditTags
                  action={setTags.bind(null, { ...viewed, licenseId })}
                  pathname={listPath}
                  seenVersion={seen.seenVersion}
                  tags={details.tags}
                />
              }
            />
          </div>
          {renewal.renewable && (
            <AutoRenewCard action={setAutoRenew.bind(null, { ...viewed, licenseId })} renewal={renewal} />
          )}
          <div className="flex min-w-0 flex-col gap-5 lg:col-start-1 lg:row-start-3">
            {details.status !== "terminated" && (
              <LicenseServerCard
                address={details.ipAddress}
                earlierKeys={<EarlierAgentKeys of={{ licenseIds: [licenseId] }} user={user} />}
                install={
                  user.kind === "reseller" &&
                  details.status !== "pending" && (
                    <InstallAgent
                      address={details.ipAddress}
                      create={createForAgent.bind(null, { licenseIds: [licenseId] })}
                      product={details.product}
                      reportedAt={server?.report.reportedAt ?? null}
                    />
                  )
                }
                server={server}
              />
            )}
            {user.kind === "reseller" && user.liveResellerId !== null && details.status !== "terminated" && (
              <Allowed to="sandbox:write">
                <AdvanceCard
                  action={advance.bind(null, { licenseId })}
                  stops={[...new Set([...reseller.expiringSoonDays, reseller.renewAheadDays, 0])].sort((a, b) => b - a)}
                />
              </Allowed>
            )}
            <VerificationCard
              action={changeAddress.bind(null, seen)}
              boundIp={details.ipAddress}
              days={countByDay(firstDay, SUMMARY_DAYS, counts)}
              entries={markRebindable(failures.rows, details)}
              href={`/licenses/${licenseId}/verifications`}
              id={details.id}
              product={details.product}
            />
            {details.status !== "pending" && details.status !== "terminated" && (
              <VerifySnippet apiUrl={publicApiUrl()} ipAddress={details.ipAddress} licenseKey={details.key} />
            )}
          </div>
          <div
            className={
              renewal.renewable
                ? "lg:col-start-2 lg:row-span-2 lg:row-start-2"
                : "lg:col-start-2 lg:row-span-3 lg:row-start-1"
            }
          >
            <LicenseHistory entries={history} full={history.length < HISTORY_LENGTH} />
          </div>
        </div>
      </div>
    </OfReseller>
  );
}
