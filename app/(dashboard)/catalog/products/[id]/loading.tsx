import { OfferSkeleton } from "#components/catalog/catalog-skeletons.tsx";

export default function ProductLoading() {
  return <OfferSkeleton label="Loading the product" trail={[{ label: "Catalog", href: "/catalog" }]} />;
}
