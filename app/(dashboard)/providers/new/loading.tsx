import { FormSkeleton } from "#components/catalog/catalog-skeletons.tsx";

export default function NewProviderLoading() {
  return <FormSkeleton label="Loading the form" trail={[{ label: "Providers", href: "/providers" }]} />;
}
