import type { SearchParams } from "nuqs/server";
import { KeyListScreen } from "#app/(dashboard)/api-keys/list-screen.tsx";
import { requireResellerPlace } from "#app/(dashboard)/api-keys/place.ts";
import { loadKeyListParams } from "#components/api-key/key-params.ts";

interface ResellerKeysPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<SearchParams>;
}

export default async function ResellerKeysPage({ params, searchParams }: ResellerKeysPageProps) {
  const [{ id }, view] = await Promise.all([params, loadKeyListParams(searchParams)]);
  return <KeyListScreen place={await requireResellerPlace(id)} view={view} />;
}
