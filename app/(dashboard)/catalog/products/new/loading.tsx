import { FormSkeleton } from "#components/catalog/catalog-skeletons.tsx";

export default function NewProductLoading() {
  return <FormSkeleton label="Loading the form" trail={[{ label: "Catalog", href: "/catalog" }]} />;
}
