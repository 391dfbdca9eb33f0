import { notFound } from "next/navigation";
import type { ServiceContext } from "#lib/services/context.ts";
import { listProviders, type ProviderSummary } from "#lib/services/provider/list.ts";

/** `name`: as in the address. */
export async function findProvider(ctx: ServiceContext, name: string): Promise<ProviderSummary> {
  const wanted = decodeURIComponent(name);
  return (await listProviders(ctx)).find((provider) => provider.name === wanted) ?? notFound();
}
