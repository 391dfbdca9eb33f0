import { isDomainError } from "#lib/domain/errors.ts";
import type { Labels } from "#lib/domain/labels.ts";
import { requireSpending, type ServiceContext } from "#lib/services/context.ts";
import {
  type CoresRegisterInput,
  type RegistrationWithCores,
  registerLicenseWithCores,
} from "./register-with-cores.ts";
import { setLicenseLabels } from "./set-labels.ts";

export interface RegistrationWithLabels extends RegistrationWithCores {
  /** Why the license has neither customer nor tags; null: it has them. */
  readonly missingLabels: string | null;
}

/**
 * Registers a license, then writes its customer and tags. A refusal to write them leaves the license as it is. Repeated
 * under the same key, it finds the license and writes them again.
 * @throws DomainError those of `registerLicenseWithCores`
 */
export async function registerLicenseWithLabels(
  ctx: ServiceContext,
  { labels, ...input }: CoresRegisterInput & { readonly labels: Labels },
): Promise<RegistrationWithLabels> {
  requireSpending(ctx, "licenses:write");
  const registered = await registerLicenseWithCores(ctx, input);
  try {
    await setLicenseLabels({ ...ctx, claim: null }, { licenseId: registered.licenseId, change: labels });
    return { ...registered, missingLabels: null };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return { ...registered, missingLabels: error.message };
  }
}
