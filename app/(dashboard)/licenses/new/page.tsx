import { readBalance } from "#app/(dashboard)/actions.ts";
import { RegisterForm } from "#components/license/register-form.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { listProducts } from "#lib/services/catalog/list-products.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { register } from "./actions.ts";

export default async function NewLicensePage() {
  const ctx = contextOf(await requireResellerUser("wallet:spend"));
  const [products, balance] = await Promise.all([listProducts(ctx), getBalance(ctx)]);
  return (
    <>
      <PageHeader title="Register a license" trail={[{ label: "Licenses", href: "/licenses" }]} />
      {products.length === 0 ? (
        <Card>
          <EmptyState
            description={`No product has a price in ${balance.currency} yet. Ask a License Desk administrator.`}
            title="Nothing is on sale"
          />
        </Card>
      ) : (
        <RegisterForm action={register} balance={balance} products={products} readBalance={readBalance} />
      )}
    </>
  );
}
