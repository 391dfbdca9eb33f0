import { OfferSkeleton } from "#components/catalog/catalog-skeletons.tsx";

export default function BundleLoading() {
  return <OfferSkeleton label="Loading the bundle" trail={{ label: "Bundles", href: "/catalog/bundles" }} />;
}
