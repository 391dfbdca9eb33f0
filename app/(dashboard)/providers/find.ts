import { notFound } from "next/navigation";
import { readSegment } from "#lib/dashboard/path-segment.ts";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { listProviders, type ProviderSummary } from "#lib/services/provider/list.ts";

/** `name`: as in the address. */
export async function findProvider(name: string): Promise<ProviderSummary> {
  const ctx = contextOf(await requireAdminUser("admin:read"));
  const wanted = readSegment(name);
  return (await listProviders(ctx)).find((provider) => provider.name === wanted) ?? notFound();
}

/** To change it. The sandbox has neither address nor credentials, and its catalog is ours. */
export async function findConnectedProvider(name: string): Promise<ProviderSummary & { readonly baseUrl: string }> {
  await requireAdminUser("providers:write");
  const provider = await findProvider(name);
  const { baseUrl } = provider;
  return baseUrl === null ? notFound() : { ...provider, baseUrl };
}
