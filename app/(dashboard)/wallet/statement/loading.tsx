import { StatementSkeleton } from "#components/wallet/statement-skeleton.tsx";

export default function StatementLoading() {
  return <StatementSkeleton trail={[{ label: "Wallet", href: "/wallet" }]} />;
}
