import { DetailSkeleton } from "#components/ui/detail-skeleton.tsx";

export default function BundleLoading() {
  return <DetailSkeleton factCount={5} label="Loading the bundle" trail={[{ label: "Bundles", href: "/bundles" }]} />;
}
