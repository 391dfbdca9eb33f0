import { PageHeader } from "#components/ui/page-header.tsx";
import { WalletSkeleton } from "#components/wallet/wallet-skeleton.tsx";

export default function WalletLoading() {
  return (
    <>
      <PageHeader title="Wallet" />
      <WalletSkeleton />
    </>
  );
}
