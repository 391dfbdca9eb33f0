/** Licenses and bundles that share an address. */
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { type BundleInstance, getBundleInstance } from "#lib/services/bundle/get.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { ip } from "./faults.ts";
import type { ResellerWorld } from "./reseller.ts";
import type { World } from "./world.ts";

const TYPES = ["control_panel", "web_server", "malware_scanner"] as const;

export async function fillServer(
  world: World,
  reseller: ResellerWorld,
  { address = world.freshIp(), types = TYPES }: { readonly address?: string; readonly types?: readonly string[] } = {},
): Promise<{ readonly from: LicenseAddress; readonly ids: number[] }> {
  const ids: number[] = [];
  for (const type of types) ids.push((await reseller.register({ type, ip: address })).licenseId);
  return { from: ip(address), ids };
}

/** A bundle of control panel, web server and backup agent. */
export async function buyBundle(world: World, reseller: ResellerWorld, address: string): Promise<BundleInstance> {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const bought = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: ip(address) });
  return getBundleInstance(reseller.context(), { bundleInstanceId: bought.instance.id });
}

/** Registers another reseller's license at the address. */
export async function occupy(world: World, address: string, type: string): Promise<void> {
  await (await world.reseller()).register({ type, ip: address });
}
