import { FormSkeleton } from "#components/catalog/catalog-skeletons.tsx";

export default function EditProductLoading() {
  return <FormSkeleton label="Loading the form" trail={[{ label: "Catalog", href: "/catalog" }]} />;
}
