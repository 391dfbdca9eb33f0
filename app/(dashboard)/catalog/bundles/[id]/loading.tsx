import { OfferSkeleton } from "#components/catalog/catalog-skeletons.tsx";

export default function BundleLoading() {
  return (
    <OfferSkeleton
      label="Loading the bundle"
      trail={[
        { label: "Catalog", href: "/catalog" },
        { label: "Bundles", href: "/catalog/bundles" },
      ]}
    />
  );
}
