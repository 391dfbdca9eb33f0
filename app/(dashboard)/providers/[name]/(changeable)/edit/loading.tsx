import { FormSkeleton } from "#components/catalog/catalog-skeletons.tsx";

export default function EditProviderLoading() {
  return <FormSkeleton label="Loading the form" trail={[{ label: "Providers", href: "/providers" }]} />;
}
