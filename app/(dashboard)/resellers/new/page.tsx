import { CreateReseller } from "#components/reseller/create-reseller.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { listCurrencies } from "#lib/domain/money.ts";
import { listSoldCurrencies } from "#lib/services/catalog/list-currencies.ts";
import { create } from "./actions.ts";

export default async function NewResellerPage() {
  const soldCurrencies = await listSoldCurrencies(contextOf(await requireAdminUser("resellers:write")));
  const otherCurrencies = listCurrencies().filter((currency) => !soldCurrencies.includes(currency));
  return (
    <>
      <PageHeader title="Create a reseller" trail={[{ label: "Resellers", href: "/resellers" }]} />
      <CreateReseller create={create} otherCurrencies={otherCurrencies} soldCurrencies={soldCurrencies} />
    </>
  );
}
