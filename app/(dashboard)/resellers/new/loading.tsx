import { PageHeader } from "#components/ui/page-header.tsx";
import { EndpointFormSkeleton } from "#components/webhook/webhook-skeletons.tsx";

export default function NewResellerLoading() {
  return (
    <>
      <PageHeader title="Create a reseller" trail={[{ label: "Resellers", href: "/resellers" }]} />
      <EndpointFormSkeleton />
    </>
  );
}
