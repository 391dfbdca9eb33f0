import { KeyScreen } from "#app/(dashboard)/api-keys/key-screen.tsx";
import { requireOwnPlace } from "#app/(dashboard)/api-keys/place.ts";
import type { PageProps } from "#app/page-props.ts";
import { loadRequestParams } from "#components/api-key/key-params.ts";

export default async function ApiKeyPage({ params, searchParams }: PageProps<"id">) {
  const [place, { id }, view] = await Promise.all([requireOwnPlace(), params, loadRequestParams(searchParams)]);
  return <KeyScreen id={id} place={place} view={view} />;
}
