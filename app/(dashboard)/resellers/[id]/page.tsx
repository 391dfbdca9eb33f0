import { KeySquare, ReceiptText, Settings, Tags } from "lucide-react";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { adjust, refund, topUp } from "#app/(dashboard)/resellers/[id]/actions.ts";
import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import { actAs } from "#app/(dashboard)/resellers/[id]/settings/actions.ts";
import { filterOf, isSubjectUnknown, ledgerLinks, pageOf } from "#app/(dashboard)/wallet/view.ts";
import { ActAs } from "#components/reseller/act-as.tsx";
import { AdjustWallet } from "#components/reseller/adjust-wallet.tsx";
import { loadOpen } from "#components/reseller/open-params.ts";
import { RefundCharge } from "#components/reseller/refund-charge.tsx";
import { TopUpForm } from "#components/reseller/top-up-form.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Ledger } from "#components/wallet/ledger.tsx";
import { entryTitle } from "#components/wallet/ledger-entry.ts";
import { LedgerFilters } from "#components/wallet/ledger-filters.tsx";
import { loadLedgerParams } from "#components/wallet/ledger-params.ts";
import { OpenOperations } from "#components/wallet/open-operations.tsx";
import { WalletFigures } from "#components/wallet/wallet-figures.tsx";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { listWalletEntries } from "#lib/services/wallet/list-entries.ts";
import { listOwnOpenOperations } from "#lib/services/wallet/list-open-operations.ts";

const PAGE_SIZE = 25;
const MAX_OPEN_SHOWN = 20;

interface ResellerPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params }: ResellerPageProps): Promise<Metadata> {
  return { title: `Reseller ${(await params).id}` };
}

export default async function ResellerPage({ params, searchParams }: ResellerPageProps) {
  const [{ id }, view, { open: path }] = await Promise.all([
    params,
    loadLedgerParams(searchParams),
    loadOpen(searchParams),
  ]);
  const { ctx, reseller, path: pathname } = await requireReseller(id);
  const { resellerId } = reseller;
  const [balance, ledger, open] = await Promise.all([
    getBalance(ctx),
    listWalletEntries(ctx, { ...pageOf(view), limit: PAGE_SIZE, filter: filterOf(view) }),
    listOwnOpenOperations(ctx, { limit: MAX_OPEN_SHOWN }),
  ]);
  const { currency, spendable } = balance;
  return (
    <>
      <PageHeader
        actions={
          <>
            <ActAs action={actAs.bind(null, { resellerId })} key={path} name={reseller.name} path={path} />
            <Allowed to="money:move">
              {" "}
              <AdjustWallet action={adjust.bind(null, { resellerId })} currency={currency} spendable={spendable} />
            </Allowed>
          </>
        }
        badge={reseller.suspendedAt && <Badge tone="caution">Suspended</Badge>}
        description={reseller.email}
        links={[
          {
            href: `${pathname}/prices`,
            icon: <Tags aria-hidden className="size-3.5" />,
            label: "Prices",
            variant: "ghost",
          },
          {
            href: `${pathname}/api-keys`,
            icon: <KeySquare aria-hidden className="size-3.5" />,
            label: "API keys",
            variant: "ghost",
          },
          {
            href: `${pathname}/settings`,
            icon: <Settings aria-hidden className="size-3.5" />,
            label: "Settings",
            variant: "ghost",
          },
          {
            href: `${pathname}/statement`,
            icon: <ReceiptText aria-hidden className="size-3.5" />,
            label: "Statement",
            variant: "ghost",
          },
        ]}
        title={reseller.name}
        trail={[{ label: "Resellers", href: "/resellers" }]}
      />
      <div className="grid items-start gap-5 min-[90rem]:grid-cols-[minmax(0,1fr)_20rem] min-[90rem]:grid-rows-[auto_1fr]">
        <div className="flex min-w-0 flex-col gap-5">
          <WalletFigures {...balance} />
          <OpenOperations currency={currency} linked={false} operations={open} />
        </div>
        <div className="min-[90rem]:row-span-2">
          <Allowed to="money:move">
            {" "}
            <TopUpForm action={topUp.bind(null, { resellerId })} currency={currency} spendable={spendable} />
          </Allowed>
        </div>
        <div className="min-w-0">
          <Ledger
            {...ledgerLinks(pathname, view, ledger)}
            currency={currency}
            emptyHint="A top-up is the first entry."
            filters={<LedgerFilters aboutUnknown={isSubjectUnknown(view)} />}
            lines={ledger.entries}
            linked={false}
            renderAction={(entry) =>
              entry.operationId !== null &&
              entry.refundable !== 0n && (
                <Allowed to="money:move">
                  {" "}
                  <RefundCharge
                    action={refund.bind(null, { resellerId })}
                    charged={-entry.amount}
                    currency={currency}
                    name={entryTitle(entry)}
                    operationId={entry.operationId}
                    refundable={entry.refundable}
                    spendable={spendable}
                  />
                </Allowed>
              )
            }
          />
        </div>
      </div>
    </>
  );
}
