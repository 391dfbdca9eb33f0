import { Card } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { WalletSkeleton } from "#components/wallet/wallet-skeleton.tsx";

export default function ResellerLoading() {
  return (
    <>
      <PageHeader title={<Skeleton className="my-1 h-5 w-56" />} trail={[{ label: "Resellers", href: "/resellers" }]} />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <WalletSkeleton />
        <div className="max-lg:order-first">
          <Card title="Top up">
            <Skeleton className="h-72 rounded-md" />
          </Card>
        </div>
      </div>
    </>
  );
}
