import { StatementSkeleton } from "#components/wallet/statement-skeleton.tsx";

export default function ResellerStatementLoading() {
  return <StatementSkeleton trail={[{ label: "Resellers", href: "/resellers" }]} />;
}
