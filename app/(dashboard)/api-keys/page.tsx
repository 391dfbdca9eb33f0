import type { Metadata } from "next";
import { KeyListScreen } from "#app/(dashboard)/api-keys/list-screen.tsx";
import { requireOwnPlace } from "#app/(dashboard)/api-keys/place.ts";
import { parseListView } from "#app/(dashboard)/api-keys/view.ts";
import type { SearchParams } from "#app/search-params.ts";

export const metadata: Metadata = { title: "API keys" };

export default async function ApiKeysPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const [place, query] = await Promise.all([requireOwnPlace(), searchParams]);
  return <KeyListScreen place={place} view={parseListView(query)} />;
}
