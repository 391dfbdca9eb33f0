import type { Metadata } from "next";
import { KeyListScreen } from "#app/(dashboard)/api-keys/list-screen.tsx";
import { requireResellerPlace } from "#app/(dashboard)/api-keys/place.ts";
import { parseListView } from "#app/(dashboard)/api-keys/view.ts";
import type { SearchParams } from "#app/search-params.ts";

interface ResellerKeysPageProps {
  readonly params: Promise<{ readonly id: string }>;
  readonly searchParams: SearchParams;
}

export const metadata: Metadata = { title: "API keys of a reseller" };

export default async function ResellerKeysPage({ params, searchParams }: ResellerKeysPageProps) {
  const [{ id }, query] = await Promise.all([params, searchParams]);
  return <KeyListScreen place={await requireResellerPlace(id)} view={parseListView(query)} />;
}
