import { adjust, refund, topUp } from "#app/(dashboard)/resellers/[id]/actions.ts";
import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import { ResellerHeader } from "#app/(dashboard)/resellers/[id]/header.tsx";
import { filterOf, isSubjectUnknown, ledgerLinks, pageOf } from "#app/(dashboard)/wallet/view.ts";
import type { PageProps } from "#app/page-props.ts";
import { AdjustWallet } from "#components/reseller/adjust-wallet.tsx";
import { RefundCharge } from "#components/reseller/refund-charge.tsx";
import { TopUpWallet } from "#components/reseller/top-up-wallet.tsx";
import { Allowed } from "#components/shell/permissions.tsx";
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

export default async function ResellerWalletPage({ params, searchParams }: PageProps<"id">) {
  const [{ id }, view] = await Promise.all([params, loadLedgerParams(searchParams)]);
  const looked = await requireReseller(id);
  const { ctx } = looked;
  const { resellerId } = looked.reseller;
  const pathname = `${looked.path}/wallet`;
  const [balance, ledger, open] = await Promise.all([
    getBalance(ctx),
    listWalletEntries(ctx, { ...pageOf(view), limit: PAGE_SIZE, filter: filterOf(view) }),
    listOwnOpenOperations(ctx, { limit: MAX_OPEN_SHOWN }),
  ]);
  const { currency, spendable } = balance;
  return (
    <>
      <ResellerHeader
        actions={
          <Allowed to="money:move">
            <AdjustWallet action={adjust.bind(null, { resellerId })} currency={currency} spendable={spendable} />
            <TopUpWallet action={topUp.bind(null, { resellerId })} currency={currency} spendable={spendable} />
          </Allowed>
        }
        of={looked}
        page="Wallet"
      />
      <div className="flex flex-col gap-5">
        <WalletFigures {...balance} />
        <OpenOperations currency={currency} linked={false} operations={open} />
        <Ledger
          pageSize={PAGE_SIZE}
          {...ledgerLinks(pathname, view, ledger)}
          currency={currency}
          emptyHint="A top-up is the first entry."
          filters={<LedgerFilters aboutUnknown={isSubjectUnknown(view)} />}
          lines={ledger.rows}
          linked={false}
          renderAction={(entry) =>
            entry.operationId !== null &&
            entry.refundable !== 0n && (
              <Allowed to="money:move">
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
    </>
  );
}
