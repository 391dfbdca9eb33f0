import type { SearchParams } from "nuqs/server";
import { KeyScreen } from "#app/(dashboard)/api-keys/key-screen.tsx";
import { requireResellerPlace } from "#app/(dashboard)/api-keys/place.ts";
import { loadRequestParams } from "#components/api-key/key-params.ts";

interface ResellerKeyPageProps {
  readonly params: Promise<{ readonly id: string; readonly keyId: string }>;
  readonly searchParams: Promise<SearchParams>;
}

export default async function ResellerKeyPage({ params, searchParams }: ResellerKeyPageProps) {
  const [{ id, keyId }, view] = await Promise.all([params, loadRequestParams(searchParams)]);
  return <KeyScreen id={keyId} place={await requireResellerPlace(id)} view={view} />;
}
