import type { SearchParams } from "nuqs/server";
import { KeyScreen } from "#app/(dashboard)/api-keys/key-screen.tsx";
import { findKey, requireOwnPlace } from "#app/(dashboard)/api-keys/place.ts";
import { objectTitle } from "#app/(dashboard)/object-title.ts";
import { loadRequestParams } from "#components/api-key/key-params.ts";

interface ApiKeyPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<SearchParams>;
}

export const generateMetadata = objectTitle(
  ({ id }: { id: string }) => findKey(null, id),
  ({ name }) => `${name} · API keys`,
  "API key",
);

export default async function ApiKeyPage({ params, searchParams }: ApiKeyPageProps) {
  const [place, { id }, view] = await Promise.all([requireOwnPlace(), params, loadRequestParams(searchParams)]);
  return <KeyScreen id={id} place={place} view={view} />;
}
