import type { Metadata } from "next";
import { KeyScreen } from "#app/(dashboard)/api-keys/key-screen.tsx";
import { requireOwnPlace } from "#app/(dashboard)/api-keys/place.ts";
import { parseRequestView } from "#app/(dashboard)/api-keys/view.ts";
import type { SearchParams } from "#app/search-params.ts";

interface ApiKeyPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: SearchParams;
}

export const metadata: Metadata = { title: "API key" };

export default async function ApiKeyPage({ params, searchParams }: ApiKeyPageProps) {
  const [place, { id }, query] = await Promise.all([requireOwnPlace(), params, searchParams]);
  return <KeyScreen id={id} place={place} view={parseRequestView(query)} />;
}
