import { OfferSkeleton } from "#components/catalog/catalog-skeletons.tsx";

export default function ProviderLoading() {
  return <OfferSkeleton label="Loading the provider" trail={[{ label: "Providers", href: "/providers" }]} />;
}
