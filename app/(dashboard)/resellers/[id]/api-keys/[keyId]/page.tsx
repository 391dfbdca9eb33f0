import type { Metadata } from "next";
import { KeyScreen } from "#app/(dashboard)/api-keys/key-screen.tsx";
import { requireResellerPlace } from "#app/(dashboard)/api-keys/place.ts";
import { parseRequestView } from "#app/(dashboard)/api-keys/view.ts";
import type { SearchParams } from "#app/search-params.ts";

interface ResellerKeyPageProps {
  readonly params: Promise<{ readonly id: string; readonly keyId: string }>;
  readonly searchParams: SearchParams;
}

export const metadata: Metadata = { title: "API key of a reseller" };

export default async function ResellerKeyPage({ params, searchParams }: ResellerKeyPageProps) {
  const [{ id, keyId }, query] = await Promise.all([params, searchParams]);
  return <KeyScreen id={keyId} place={await requireResellerPlace(id)} view={parseRequestView(query)} />;
}
