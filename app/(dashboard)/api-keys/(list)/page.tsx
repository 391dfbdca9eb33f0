import type { Metadata } from "next";
import type { SearchParams } from "#app/search-params.ts";
import { KeyListScreen } from "./list-screen.tsx";
import { requireOwnPlace } from "./place.ts";
import { parseListView } from "./view.ts";

export const metadata: Metadata = { title: "API keys" };

export default async function ApiKeysPage({ searchParams }: { readonly searchParams: SearchParams }) {
  const [place, query] = await Promise.all([requireOwnPlace(), searchParams]);
  return <KeyListScreen place={place} view={parseListView(query)} />;
}
