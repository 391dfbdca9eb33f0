import { NewKeyScreen } from "#app/(dashboard)/api-keys/new-screen.tsx";
import { requireResellerPlace } from "#app/(dashboard)/api-keys/place.ts";
import type { PageProps } from "#app/page-props.ts";
import { loadKeyFormStart } from "#components/api-key/key-params.ts";

export default async function NewResellerKeyPage({ params, searchParams }: PageProps<"id">) {
  const [{ id }, start] = await Promise.all([params, loadKeyFormStart(searchParams)]);
  return <NewKeyScreen place={await requireResellerPlace(id, "keys:write")} start={start} />;
}
