import { KeyScreen } from "#app/(dashboard)/api-keys/key-screen.tsx";
import { requireResellerPlace } from "#app/(dashboard)/api-keys/place.ts";
import type { PageProps } from "#app/page-props.ts";
import { loadRequestParams } from "#components/api-key/key-params.ts";

export default async function ResellerKeyPage({ params, searchParams }: PageProps<"id" | "keyId">) {
  const [{ id, keyId }, view] = await Promise.all([params, loadRequestParams(searchParams)]);
  return <KeyScreen id={keyId} place={await requireResellerPlace(id)} view={view} />;
}
