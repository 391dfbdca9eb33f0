import { KeyListScreen } from "#app/(dashboard)/api-keys/list-screen.tsx";
import { requireOwnPlace } from "#app/(dashboard)/api-keys/place.ts";
import type { PageProps } from "#app/page-props.ts";
import { loadKeyListParams } from "#components/api-key/key-params.ts";

export default async function ApiKeysPage({ searchParams }: PageProps) {
  const [place, view] = await Promise.all([requireOwnPlace(), loadKeyListParams(searchParams)]);
  return <KeyListScreen place={place} view={view} />;
}
