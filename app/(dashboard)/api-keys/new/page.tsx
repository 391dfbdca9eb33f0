import { NewKeyScreen } from "#app/(dashboard)/api-keys/new-screen.tsx";
import { requireOwnPlace } from "#app/(dashboard)/api-keys/place.ts";
import type { PageProps } from "#app/page-props.ts";
import { loadKeyFormStart } from "#components/api-key/key-params.ts";

export default async function NewApiKeyPage({ searchParams }: PageProps) {
  const [place, start] = await Promise.all([requireOwnPlace("keys:write"), loadKeyFormStart(searchParams)]);
  return <NewKeyScreen place={place} start={start} />;
}
