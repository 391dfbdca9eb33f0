import { readBalance } from "#app/(dashboard)/actions.ts";
import { ImportForm } from "#components/import/import-form.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { listProducts } from "#lib/services/catalog/list-products.ts";
import { getBalance } from "#lib/services/wallet/balance.ts";
import { checkImport, startImport } from "./actions.ts";

export default async function ImportPage() {
  const ctx = contextOf(await requireResellerUser("wallet:spend"));
  const [products, balance] = await Promise.all([listProducts(ctx), getBalance(ctx)]);
  return (
    <>
      <PageHeader
        description="Registers a license for every row of a table."
        title="Import licenses"
        trail={[{ label: "Licenses", href: "/licenses" }]}
      />
      <ImportForm
        balance={balance}
        check={checkImport}
        offers={products.map(({ productId, name, cycles }) => ({
          productId,
          name,
          cycles: cycles.map((cycle) => cycle.name),
        }))}
        readBalance={readBalance}
        start={startImport}
      />
    </>
  );
}
