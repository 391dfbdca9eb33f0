import { FormSkeleton } from "#components/catalog/catalog-skeletons.tsx";

export default function NewBundleLoading() {
  return <FormSkeleton label="Loading the form" trail={{ label: "Bundles", href: "/catalog/bundles" }} />;
}
