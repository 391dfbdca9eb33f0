import type { PageProps } from "#app/page-props.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { StatementScreen } from "./statement-screen.tsx";

export default async function StatementPage({ searchParams }: PageProps) {
  const ctx = contextOf(await requireResellerUser("wallet:read"));
  const trail = [{ label: "Wallet", href: "/wallet" }];
  return (
    <StatementScreen
      ctx={ctx}
      linked
      path="/wallet/statement"
      searchParams={searchParams}
      title="Statement"
      trail={trail}
    />
  );
}
