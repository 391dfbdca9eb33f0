import { KeyRound } from "lucide-react";
import type { SearchParams } from "nuqs/server";
import { LicenseListScreen } from "#app/(dashboard)/licenses/list-screen.tsx";
import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import { ResellerHeader } from "#app/(dashboard)/resellers/[id]/header.tsx";
import { loadLicenseParams } from "#components/license/license-params.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { requireAdminUser } from "#lib/dashboard/session.ts";

interface ResellerLicensesPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<SearchParams>;
}

export default async function ResellerLicensesPage({ params, searchParams }: ResellerLicensesPageProps) {
  const [user, { id }, view] = await Promise.all([
    requireAdminUser("admin:read"),
    params,
    loadLicenseParams(searchParams),
  ]);
  const looked = await requireReseller(id);
  return (
    <LicenseListScreen
      empty={<EmptyState icon={<KeyRound aria-hidden />} title="No licenses yet" />}
      header={() => <ResellerHeader of={looked} page="Licenses" />}
      pathname={`${looked.path}/licenses`}
      user={user}
      view={{ ...view, reseller: looked.reseller.resellerId }}
    />
  );
}
