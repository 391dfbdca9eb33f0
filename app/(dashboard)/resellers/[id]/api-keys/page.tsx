import { KeyListScreen } from "#app/(dashboard)/api-keys/list-screen.tsx";
import { requireResellerPlace } from "#app/(dashboard)/api-keys/place.ts";
import type { PageProps } from "#app/page-props.ts";
import { loadKeyListParams } from "#components/api-key/key-params.ts";

export default async function ResellerKeysPage({ params, searchParams }: PageProps<"id">) {
  const [{ id }, view] = await Promise.all([params, loadKeyListParams(searchParams)]);
  return <KeyListScreen place={await requireResellerPlace(id)} view={view} />;
}
