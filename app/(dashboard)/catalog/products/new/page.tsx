import { addProduct } from "#app/(dashboard)/catalog/actions.ts";
import { EditProduct } from "#components/catalog/edit-product.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { listProviders } from "#lib/services/provider/list.ts";

export default async function NewProductPage() {
  const providers = (await listProviders(contextOf(await requireAdminUser("catalog:write")))).map(({ name }) => name);
  return (
    <>
      <PageHeader
        description="It is on sale once it has a cycle with a price."
        title="Add a product"
        trail={[{ label: "Catalog", href: "/catalog" }]}
      />
      <EditProduct
        action={addProduct}
        cancelHref="/catalog"
        fixed={{}}
        initial={{
          type: "",
          name: "",
          description: "",
          provider: providers[0] ?? "",
          provider_sku: "",
          core_metered: false,
          workers: "0",
        }}
        isNew
        providers={providers}
      />
    </>
  );
}
