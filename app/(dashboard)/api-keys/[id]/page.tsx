import type { SearchParams } from "nuqs/server";
import { KeyScreen } from "#app/(dashboard)/api-keys/key-screen.tsx";
import { requireOwnPlace } from "#app/(dashboard)/api-keys/place.ts";
import { loadRequestParams } from "#components/api-key/key-params.ts";

interface ApiKeyPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: Promise<SearchParams>;
}

export default async function ApiKeyPage({ params, searchParams }: ApiKeyPageProps) {
  const [place, { id }, view] = await Promise.all([requireOwnPlace(), params, loadRequestParams(searchParams)]);
  return <KeyScreen id={id} place={place} view={view} />;
}
