import type { Metadata } from "next";
import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import { StatementScreen } from "#app/(dashboard)/wallet/statement/statement-screen.tsx";
import type { SearchParams } from "#app/search-params.ts";

interface ResellerStatementPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: SearchParams;
}

export const metadata: Metadata = { title: "Statement of a reseller" };

export default async function ResellerStatementPage({ params, searchParams }: ResellerStatementPageProps) {
  const [{ id }, query] = await Promise.all([params, searchParams]);
  const { ctx, reseller, path } = await requireReseller(id);
  const trail = [
    { label: "Resellers", href: "/resellers" },
    { label: reseller.name, href: path },
  ];
  return <StatementScreen ctx={ctx} linked={false} path={`${path}/statement`} query={query} trail={trail} />;
}
