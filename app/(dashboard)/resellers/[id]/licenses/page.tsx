import { KeyRound } from "lucide-react";
import { LicenseListScreen } from "#app/(dashboard)/licenses/list-screen.tsx";
import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import { ResellerHeader } from "#app/(dashboard)/resellers/[id]/header.tsx";
import type { PageProps } from "#app/page-props.ts";
import { loadLicenseParams } from "#components/license/license-params.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { requireAdminUser } from "#lib/dashboard/session.ts";

export default async function ResellerLicensesPage({ params, searchParams }: PageProps<"id">) {
  const [user, { id }, view] = await Promise.all([
    requireAdminUser("admin:read"),
    params,
    loadLicenseParams(searchParams),
  ]);
  const looked = await requireReseller(id);
  return (
    <LicenseListScreen
      empty={<EmptyState icon={<KeyRound />} title="No licenses yet" />}
      header={() => <ResellerHeader of={looked} page="Licenses" />}
      pathname={`${looked.path}/licenses`}
      user={user}
      view={{ ...view, reseller: looked.reseller.resellerId }}
    />
  );
}
