import type { SearchParams } from "nuqs/server";
import { NewKeyScreen } from "#app/(dashboard)/api-keys/new-screen.tsx";
import { requireResellerPlace } from "#app/(dashboard)/api-keys/place.ts";
import { loadKeyFormStart } from "#components/api-key/key-params.ts";

interface NewResellerKeyPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<SearchParams>;
}

export default async function NewResellerKeyPage({ params, searchParams }: NewResellerKeyPageProps) {
  const [{ id }, start] = await Promise.all([params, loadKeyFormStart(searchParams)]);
  return <NewKeyScreen place={await requireResellerPlace(id, "keys:write")} start={start} />;
}
