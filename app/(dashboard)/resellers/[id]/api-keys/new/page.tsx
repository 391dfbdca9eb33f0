import type { Metadata } from "next";
import { NewKeyScreen } from "#app/(dashboard)/api-keys/new-screen.tsx";
import { requireResellerPlace } from "#app/(dashboard)/api-keys/place.ts";
import { type SearchParams, textOf } from "#app/search-params.ts";

interface NewResellerKeyPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: SearchParams;
}

export const metadata: Metadata = { title: "Create an API key for a reseller" };

export default async function NewResellerKeyPage({ params, searchParams }: NewResellerKeyPageProps) {
  const [{ id }, query] = await Promise.all([params, searchParams]);
  return <NewKeyScreen place={await requireResellerPlace(id)} preset={textOf(query.preset)} />;
}
