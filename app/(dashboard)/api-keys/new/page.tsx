import type { Metadata } from "next";
import { NewKeyScreen } from "#app/(dashboard)/api-keys/new-screen.tsx";
import { requireOwnPlace } from "#app/(dashboard)/api-keys/place.ts";
import { type SearchParams, textOf } from "#app/search-params.ts";

export const metadata: Metadata = { title: "Create an API key" };

export default async function NewApiKeyPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const [place, query] = await Promise.all([requireOwnPlace(), searchParams]);
  return <NewKeyScreen place={place} preset={textOf(query.preset)} />;
}
