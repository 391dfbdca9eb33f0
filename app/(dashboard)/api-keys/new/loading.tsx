import { PageHeader } from "#components/ui/page-header.tsx";
import { EndpointFormSkeleton } from "#components/webhook/webhook-skeletons.tsx";

export default function NewApiKeyLoading() {
  return (
    <>
      <PageHeader title="Create an API key" trail={[{ label: "API keys", href: "/api-keys" }]} />
      <EndpointFormSkeleton />
    </>
  );
}
