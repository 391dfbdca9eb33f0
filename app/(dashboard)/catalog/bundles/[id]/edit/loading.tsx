import { FormSkeleton } from "#components/catalog/catalog-skeletons.tsx";

export default function EditBundleLoading() {
  return (
    <FormSkeleton
      label="Loading the form"
      trail={[
        { label: "Catalog", href: "/catalog" },
        { label: "Bundles", href: "/catalog/bundles" },
      ]}
    />
  );
}
