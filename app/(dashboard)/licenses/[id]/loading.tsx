import { DetailSkeleton } from "#components/ui/detail-skeleton.tsx";

export default function LicenseLoading() {
  return (
    <DetailSkeleton factCount={7} label="Loading the license" trail={[{ label: "Licenses", href: "/licenses" }]} />
  );
}
