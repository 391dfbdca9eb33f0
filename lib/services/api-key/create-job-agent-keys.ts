import { listBulkItems } from "#lib/db/bulk/item.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import { getOwnBulkJob } from "#lib/services/bulk/get.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type AgentKeyCreated, createAgentKeys } from "./create-agent-keys.ts";

/** As many addresses as a form registers at once. */
const MAX_LICENSES = 500;

export interface ServerKeys {
  readonly address: string;
  /** Names of its products. */
  readonly products: readonly string[];
  readonly keys: readonly AgentKeyCreated[];
}

/**
 * Creates agent keys for the licenses that a job registered, by server in the job's order.
 * @throws DomainError `not_found`, `state_invalid` (none, or more than 500 licenses), and those of `createAgentKeys`
 */
export async function createJobAgentKeys(
  ctx: ServiceContext,
  input: { readonly jobId: number },
): Promise<readonly ServerKeys[]> {
  const resellerId = requireResellerUser(ctx, "keys:write");
  const { id, kind } = await getOwnBulkJob(ctx, resellerId, input.jobId);
  const page = { states: ["succeeded"], after: 0, limit: MAX_LICENSES + 1 } as const;
  const items = kind === "register" ? await listBulkItems(ctx.db, resellerId, id, page) : [];
  if (items.length === 0) throw new DomainError("state_invalid", "This job has registered no license.");
  if (items.length > MAX_LICENSES) {
    const message = `This job registered more than ${MAX_LICENSES} licenses. Create the commands on the servers' pages.`;
    throw new DomainError("state_invalid", message);
  }
  const licenses = items.flatMap(({ licenseId, ipAddress, productName }) =>
    licenseId === null
      ? []
      : { licenseId: licenseId as LicenseId, address: ipAddress ?? "", product: productName ?? "" },
  );
  const created = await createAgentKeys(ctx, { licenseIds: licenses.map(({ licenseId }) => licenseId) });
  const keyed = licenses.map((license, at) => ({ ...license, key: created[at] }));
  return [...Map.groupBy(keyed, ({ address }) => address)].map(([address, on]) => ({
    address,
    products: on.map(({ product }) => product),
    keys: on.flatMap(({ key }) => key ?? []),
  }));
}
