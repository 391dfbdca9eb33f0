import { isDomainError } from "#lib/domain/errors.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { getProviderAccount } from "./get.ts";

export type ConnectionTest =
  | {
      readonly works: true;
      readonly latencyMs: number;
      /** Our account's balance there, in major units. */
      readonly balance: string;
      readonly currency: string;
    }
  | { readonly works: false; readonly latencyMs: number; readonly message: string };

/**
 * Tests address, key and signature by reading our balance.
 * @throws DomainError `not_found`, `state_invalid` (the sandbox)
 */
export async function testProviderConnection(
  ctx: ServiceContext,
  input: { readonly name: string },
): Promise<ConnectionTest> {
  requireAdmin(ctx, "providers:write");
  const account = await getProviderAccount(ctx, input.name);
  const startedAtMs = performance.now();
  const latencyMs = () => Math.round(performance.now() - startedAtMs);
  try {
    const balance = await account.readBalance();
    return { works: true, latencyMs: latencyMs(), ...balance };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return { works: false, latencyMs: latencyMs(), message: error.message };
  }
}
