import { Card } from "#components/ui/card.tsx";
import { Skeleton, TableSkeleton } from "#components/ui/skeleton.tsx";

/** Figures and ledger to come, in the height that they will have. */
export function WalletSkeleton() {
  return (
    <div className="flex flex-col gap-5">
      <div className="grid grid-cols-2 gap-px overflow-clip rounded-lg border bg-border sm:grid-cols-3">
        {["spendable", "held", "posted"].map((name) => (
          <div
            className="flex h-24.5 first:max-sm:col-span-2 flex-col justify-between bg-surface px-4 py-3.5"
            key={name}
          >
            <Skeleton className="w-24" />
            <Skeleton className="h-6 w-32" />
            <Skeleton className="h-3 w-40" />
          </div>
        ))}
      </div>
      <Card flush title="Ledger">
        <div className="border-t">
          <TableSkeleton label="Loading the ledger" rows={10} />
        </div>
      </Card>
    </div>
  );
}
