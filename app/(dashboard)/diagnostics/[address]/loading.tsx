import { DetailSkeleton } from "#components/ui/detail-skeleton.tsx";

export default function ServerLoading() {
  return (
    <DetailSkeleton factCount={5} label="Loading the server" trail={[{ label: "Diagnostics", href: "/diagnostics" }]} />
  );
}
