import { Plus, ReceiptText } from "lucide-react";
import { redirect } from "next/navigation";
import { createLoader, parseAsString } from "nuqs/server";
import { readBalance } from "#app/(dashboard)/actions.ts";
import type { PageProps } from "#app/page-props.ts";
import { Allowed } from "#components/shell/permissions.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { cx } from "#components/ui/cx.ts";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { PageHeader } from "#components/ui/page-header.tsx";
import { FollowBalance } from "#components/wallet/follow-balance.tsx";
import { Ledger } from "#components/wallet/ledger.tsx";
import { LedgerFilters } from "#components/wallet/ledger-filters.tsx";
import { ledgerHref, loadLedgerParams } from "#components/wallet/ledger-params.ts";
import { LowBalanceSetting } from "#components/wallet/low-balance-setting.tsx";
import { OpenOperations } from "#components/wallet/open-operations.tsx";
import { PriceRulesSetting } from "#components/wallet/price-rules-setting.tsx";
import { RequestTopUp } from "#components/wallet/request-top-up.tsx";
import { RunwayCard } from "#components/wallet/runway-card.tsx";
import { TopUpRequests } from "#components/wallet/top-up-requests.tsx";
import { WalletFigures } from "#components/wallet/wallet-figures.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { toMajorText } from "#lib/domain/money.ts";
import { getReseller } from "#lib/services/reseller/get.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { listWalletEntries } from "#lib/services/wallet/list-entries.ts";
import { listOwnOpenOperations } from "#lib/services/wallet/list-open-operations.ts";
import { listTopUps } from "#lib/services/wallet/list-top-up-requests.ts";
import { getPaymentGuide } from "#lib/services/wallet/payment-settings.ts";
import { getWalletRunway } from "#lib/services/wallet/runway.ts";
import { listWebhookEndpoints } from "#lib/services/webhook/list.ts";
import { requestTopUp, setRules, setThreshold } from "./actions.ts";
import { filterOf, isSubjectUnknown, ledgerLinks, pageOf } from "./view.ts";

const PATHNAME = "/wallet";
const PAGE_SIZE = 25;
/** `?top-up=29.00`; empty: the form, without an amount. */
const loadTopUpAmount = createLoader({ "top-up": parseAsString });
const MAX_OPEN_SHOWN = 20;
const MAX_REQUESTS_SHOWN = 3;

export default async function WalletPage({ searchParams }: PageProps) {
  const [user, view, { "top-up": amount }] = await Promise.all([
    requireResellerUser("wallet:read"),
    loadLedgerParams(searchParams),
    loadTopUpAmount(searchParams),
  ]);
  const testMode = user.liveResellerId !== null;
  if (testMode && amount !== null) redirect(`/test-mode?amount=${encodeURIComponent(amount || "1000")}`);
  const ctx = contextOf(user);
  const all = view.runway === "all";
  const [balance, ledger, open, runway, topUps, endpoints, { priceRules }, guide] = await Promise.all([
    getBalance(ctx),
    listWalletEntries(ctx, { ...pageOf(view), limit: PAGE_SIZE, filter: filterOf(view) }),
    listOwnOpenOperations(ctx, { limit: MAX_OPEN_SHOWN }),
    getWalletRunway(ctx, { all }),
    listTopUps(ctx, { before: null, limit: MAX_REQUESTS_SHOWN }),
    listWebhookEndpoints(ctx),
    getReseller(ctx),
    getPaymentGuide(ctx),
  ]);
  const { currency, lowBalanceThreshold } = balance;
  const runwayIsBrief = runway.renewalCount === 0;
  const form = { action: requestTopUp, currency, guide, spendable: balance.spendable };
  return (
    <>
      <PageHeader
        actions={
          testMode ? (
            <Allowed to="sandbox:write">
              <ButtonLink href="/test-mode" variant="primary">
                Add play money
              </ButtonLink>
            </Allowed>
          ) : (
            <Allowed to="wallet:write">
              <RequestTopUp {...form} askedBy="top-up" icon={<Plus className="size-4" />} variant="primary">
                Request top-up
              </RequestTopUp>
            </Allowed>
          )
        }
        links={[{ href: "/wallet/statement", icon: <ReceiptText />, label: "Statement" }]}
        title="Wallet"
      />
      <div className="flex flex-col gap-5">
        <FollowBalance read={readBalance} shown={balance} />
        <WalletFigures {...balance} />
        <OpenOperations currency={currency} linked operations={open} />
        <div
          className={cx(
            "grid gap-5",
            runwayIsBrief
              ? "xl:grid-cols-[repeat(auto-fit,minmax(20rem,1fr))]"
              : "items-start xl:grid-cols-[minmax(0,1fr)_20rem]",
          )}
        >
          <RunwayCard
            all={all}
            otherHref={ledgerHref(PATHNAME, { ...view, before: null, after: null, runway: all ? null : "all" })}
            renderTopUp={(amount) =>
              testMode ? (
                <ButtonLink href={`/test-mode?amount=${toMajorText(amount, currency)}`} size="sm">
                  {`Add ${moneyText(amount, currency)} of play money`}
                </ButtonLink>
              ) : (
                <Allowed fallback={<Money currency={currency} minor={amount} />} to="wallet:write">
                  <RequestTopUp {...form} amount={toMajorText(amount, currency)} size="sm">
                    {`Top up ${moneyText(amount, currency)}`}
                  </RequestTopUp>
                </Allowed>
              )
            }
            runway={runway}
          />
          <div className={runwayIsBrief ? "contents" : "flex flex-col gap-5"}>
            {!testMode && <TopUpRequests requests={topUps.rows} />}
            <Card flush title="Settings">
              <div className="divide-y border-t">
                <LowBalanceSetting
                  action={setThreshold}
                  currency={currency}
                  hasEndpoint={endpoints.length > 0}
                  threshold={lowBalanceThreshold === null ? null : toMajorText(lowBalanceThreshold, currency)}
                />
                <PriceRulesSetting
                  action={setRules.bind(null, { seenVersion: priceRules.version })}
                  values={{
                    notice_days: String(priceRules.noticeDays),
                    max_increase: priceRules.maxIncreasePercent?.toString() ?? "",
                  }}
                />
              </div>
            </Card>
          </div>
        </div>
        <Ledger
          pageSize={PAGE_SIZE}
          {...ledgerLinks(PATHNAME, view, ledger)}
          currency={currency}
          emptyAction={
            !testMode && (
              <Allowed to="wallet:write">
                <RequestTopUp {...form}>Request top-up</RequestTopUp>
              </Allowed>
            )
          }
          emptyHint="Top-ups and charges are listed here."
          filters={<LedgerFilters aboutUnknown={isSubjectUnknown(view)} />}
          lines={ledger.rows}
          linked
        />
      </div>
    </>
  );
}
