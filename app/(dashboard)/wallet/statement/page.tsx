import type { Metadata } from "next";
import type { SearchParams } from "#app/search-params.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { StatementScreen } from "./statement-screen.tsx";

export const metadata: Metadata = { title: "Statement" };

export default async function StatementPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const [user, query] = await Promise.all([requireResellerUser(), searchParams]);
  const trail = [{ label: "Wallet", href: "/wallet" }];
  return <StatementScreen ctx={contextOf(user)} linked path="/wallet/statement" query={query} trail={trail} />;
}
