import { recordAudit } from "#lib/db/audit.ts";
import { changesOf } from "#lib/domain/audit.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { requireMembers } from "./bundle-rules.ts";
import { type BundleInput, readMembers } from "./create-bundle.ts";
import { requireFields, taken } from "./fields.ts";
import { getCatalogBundle } from "./get-bundle.ts";

/**
 * Changes a bundle. Its members count for what is sold from now on: bundles that were bought keep the licenses they have.
 * @throws DomainError `permission_denied`, `parameters_invalid`, `not_found`, `conflict` (name).
 */
export async function updateBundle(
  ctx: ServiceContext,
  input: BundleInput & { readonly bundleId: number },
): Promise<void> {
  requireAdmin(ctx);
  const { bundleId, name, description, productIds } = input;
  requireFields({ name, description });
  const bundle = await getCatalogBundle(ctx, { bundleId });
  requireMembers(await readMembers(ctx, productIds), bundle.cycles);
  const namesake = await ctx.db.prisma.bundle.findFirst({
    where: { id: { not: bundleId }, retiredAt: null, name: { equals: name, mode: "insensitive" } },
  });
  if (namesake) throw taken("name");
  const fieldsOf = (of: { name: string; description: string }, members: readonly number[]) => ({
    name: of.name,
    description: of.description,
    members,
  });
  const before = fieldsOf(
    bundle,
    bundle.members.map(({ id }) => id),
  );
  const { prisma } = ctx.db;
  await prisma.$transaction([
    prisma.bundle.update({ where: { id: bundleId }, data: { name, description } }),
    prisma.bundleMember.deleteMany({ where: { bundleId } }),
    prisma.bundleMember.createMany({
      data: productIds.map((productId, position) => ({ bundleId, productId, position })),
    }),
    recordAudit(
      ctx.db,
      auditRecord(ctx, {
        action: "catalog.update_bundle",
        subject: `bundle:${bundleId}`,
        label: name,
        changes: changesOf(before, fieldsOf(input, productIds)),
      }),
    ),
  ]);
}
