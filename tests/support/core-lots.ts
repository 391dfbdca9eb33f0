import { getBundleInstance } from "#lib/services/bundle/get.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import type { ResellerWorld } from "./reseller.ts";
import type { World } from "./world.ts";

/** A bundle of two core-metered products, for 10.00 per month and 5.00 per core; the catalog has none. */
export async function registerMeteredBundle(world: World, reseller: ResellerWorld) {
  const { prisma } = world.db;
  const prices = (price: bigint, pricePerCore: bigint | null) => ({
    create: { currency: "USD", price, pricePerCore },
  });
  const products = ["one", "two"].map((name) => `metered_${name}_${reseller.id}`);
  for (const slug of products) {
    await prisma.product.create({
      data: {
        slug,
        name: slug,
        coreMetered: true,
        providerSku: slug,
        cycles: { create: { name: "Monthly", months: 1, prices: prices(900n, 500n) } },
      },
    });
  }
  const bundle = await prisma.bundle.create({
    data: {
      name: `Metered ${reseller.id}`,
      members: { create: products.map((slug, position) => ({ position, product: { connect: { slug } } })) },
      cycles: { create: { name: "Monthly", months: 1, prices: prices(1_000n, null) } },
    },
    include: { cycles: true },
  });
  const { instance } = await registerBundle(reseller.context(), {
    bundleId: bundle.id,
    cycleId: bundle.cycles[0]?.id ?? 0,
    ipAddress: world.freshIp(),
  });
  const bundleInstanceId = instance.id;
  const { members } = await getBundleInstance(reseller.context(), { bundleInstanceId });
  return { bundleInstanceId, memberIds: members.map(({ id }) => id) };
}
