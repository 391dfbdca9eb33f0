import { readBalance } from "#app/(dashboard)/actions.ts";
import type { PageProps } from "#app/page-props.ts";
import { pickBundle } from "#components/bundle/bundle-details.ts";
import { RegisterBundleForm } from "#components/bundle/register-bundle-form.tsx";
import { loadLicenseParams } from "#components/license/license-params.ts";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { listBundles } from "#lib/services/catalog/list-bundles.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { register } from "./actions.ts";

export default async function NewBundlePage({ searchParams }: PageProps) {
  const [user, { bundle }] = await Promise.all([requireResellerUser("wallet:spend"), loadLicenseParams(searchParams)]);
  const ctx = contextOf(user);
  const [offers, balance] = await Promise.all([listBundles(ctx), getBalance(ctx)]);
  return (
    <>
      <PageHeader title="Register a bundle" trail={[{ label: "Bundles", href: "/bundles" }]} />
      {offers.length === 0 ? (
        <Card>
          <EmptyState
            description={`No bundle has a price in ${balance.currency} yet. Ask a License Desk administrator.`}
            title="Nothing is on sale"
          />
        </Card>
      ) : (
        <RegisterBundleForm
          action={register}
          balance={balance}
          bundles={offers.map(pickBundle)}
          chosenId={bundle}
          readBalance={readBalance}
        />
      )}
    </>
  );
}
