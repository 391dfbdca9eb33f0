import { insertProduct, type ProductFields } from "#lib/db/catalog/write.ts";
import { findProvider } from "#lib/db/provider/provider.ts";
import { malformed } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireFields, taken } from "./fields.ts";

/**
 * Adds a product. It is on sale once a cycle has a price.
 * @throws DomainError `parameters_invalid`, `conflict` (type or provider code).
 */
export async function createProduct(
  ctx: ServiceContext,
  input: ProductFields & {
    /** The contract's `type`; never changes. */
    readonly slug: string;
  },
): Promise<{ readonly productId: number }> {
  requireAdmin(ctx, "catalog:write");
  requireFields(input);
  await requireProvider(ctx, input.provider);
  const made = await insertProduct(writesOf(ctx), input, changedBy(ctx));
  if (typeof made === "string") throw taken(made);
  return { productId: made };
}

/** @throws DomainError `parameters_invalid` */
export async function requireProvider(ctx: ServiceContext, name: string): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  const provider = await findProvider(ctx.db, name);
  if (provider && provider.kind !== "test") return;
  throw malformed("provider", "is not set up");
}
