import type { ServiceContext } from "#lib/services/context.ts";
import { openSandboxOf } from "#lib/services/sandbox/open.ts";
import { actors } from "./actors.ts";
import { createResellerWorld, type ResellerWorld } from "./reseller.ts";
import type { World } from "./world.ts";

/** The context of a reseller's dashboard user. */
export const userOf = (world: World, reseller: ResellerWorld): ServiceContext =>
  world.context(actors.user(reseller.id));

/** The reseller's sandbox, with its play money. */
export async function sandboxOf(world: World, reseller: ResellerWorld): Promise<ResellerWorld> {
  return createResellerWorld(world, await openSandboxOf(userOf(world, reseller), reseller.id));
}
