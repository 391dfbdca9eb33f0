import { listBundleOffers, listProductOffers } from "#lib/db/catalog/offer.ts";
import type { OperationKind } from "#lib/domain/operation.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import type { Buyer, Desk } from "./desk.ts";

/** The provider's behavior per address (contract 5). */
export const faults = {
  none: null,
  rejects: "192.0.2.10",
  losesAnswer: "192.0.2.20",
  losesRequest: "192.0.2.21",
  answersLate: "192.0.2.30",
  garblesAnswer: "192.0.2.40",
  rejectsLastMember: "192.0.2.50",
  refusesConnection: "192.0.2.60",
} as const satisfies Record<string, string | null>;
export type Fault = keyof typeof faults;
export const faultNames = Object.keys(faults) as Fault[];

export interface DispatchRequest {
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** Buys what the request needs, with the provider's behavior at this address; null: without faults. */
type Prepare = (desk: Desk, buyer: Buyer, address: string | null, productType?: string) => Promise<DispatchRequest>;

export interface Verb {
  readonly kind: OperationKind;
  readonly prepare: Prepare;
}

const METERED = "web_server";

async function license(desk: Desk, buyer: Buyer, address: string | null, type: string): Promise<number> {
  const { licenseId } = await registerLicense(buyer.ctx, {
    ...(await offer(desk, buyer, type)),
    ipAddress: desk.freshAddress(),
  });
  if (address !== null) await desk.place({ licenseId }, address);
  return licenseId;
}

async function bundle(desk: Desk, buyer: Buyer, address: string | null): Promise<number> {
  const { instance } = await registerBundle(buyer.ctx, {
    ...(await bundleOffer(desk, buyer)),
    ipAddress: desk.freshAddress(),
  });
  if (address !== null) await desk.place({ bundleInstanceId: instance.id }, address);
  return instance.id;
}

async function offer({ db }: Desk, { resellerId }: Buyer, type: string) {
  const product = (await listProductOffers(db, resellerId)).find((candidate) => candidate.type === type);
  const cycle = product?.cycles[0];
  if (!product || !cycle) throw new Error(`no product ${type} is on sale`);
  return { productId: product.productId, cycleId: cycle.cycleId };
}

async function bundleOffer({ db }: Desk, { resellerId }: Buyer) {
  const [first] = await listBundleOffers(db, resellerId);
  const cycle = first?.cycles[0];
  if (!first || !cycle) throw new Error("no bundle is on sale");
  return { bundleId: first.bundleId, cycleId: cycle.cycleId };
}

export const verbs = {
  register: {
    kind: "license_register",
    async prepare(desk, buyer, address, type = METERED) {
      const { productId, cycleId } = await offer(desk, buyer, type);
      const parameters = { product_id: productId, cycle_id: cycleId, ip_address: address ?? desk.freshAddress() };
      return { endpoint: "license.register", parameters };
    },
  },
  renew: {
    kind: "license_renew",
    async prepare(desk, buyer, address, type = METERED) {
      return { endpoint: "license.renew", parameters: { license_id: await license(desk, buyer, address, type) } };
    },
  },
  change_core: {
    kind: "license_change_core",
    async prepare(desk, buyer, address) {
      const licenseId = await license(desk, buyer, address, METERED);
      return { endpoint: "license.change_core", parameters: { license_id: licenseId, cores: 4 } };
    },
  },
  remove_core: {
    kind: "license_change_core",
    async prepare(desk, buyer, address) {
      const licenseId = await license(desk, buyer, null, METERED);
      await changeLicenseCores(buyer.ctx, { licenseId, cores: 4 });
      if (address !== null) await desk.place({ licenseId }, address);
      return { endpoint: "license.change_core", parameters: { license_id: licenseId, cores: 2 } };
    },
  },
  change_ip: {
    kind: "license_change_ip",
    async prepare(desk, buyer, address, type = METERED) {
      const licenseId = await license(desk, buyer, null, type);
      const parameters = { license_id: licenseId, new_ip: address ?? desk.freshAddress() };
      return { endpoint: "license.change_ip", parameters };
    },
  },
  bundle_register: {
    kind: "bundle_register",
    async prepare(desk, buyer, address) {
      const { bundleId, cycleId } = await bundleOffer(desk, buyer);
      const parameters = { bundle_id: bundleId, cycle_id: cycleId, ip_address: address ?? desk.freshAddress() };
      return { endpoint: "bundle.register", parameters };
    },
  },
  bundle_renew: {
    kind: "bundle_renew",
    async prepare(desk, buyer, address) {
      return { endpoint: "bundle.renew", parameters: { bundle_instance_id: await bundle(desk, buyer, address) } };
    },
  },
  bundle_change_ip: {
    kind: "bundle_change_ip",
    async prepare(desk, buyer, address) {
      const instanceId = await bundle(desk, buyer, null);
      const parameters = { bundle_instance_id: instanceId, new_ip: address ?? desk.freshAddress() };
      return { endpoint: "bundle.change_ip", parameters };
    },
  },
} as const satisfies Record<string, Verb>;
export type VerbName = keyof typeof verbs;

/**
 * How often the request must be carried out and charged: a response lost after the work still means once. A bundle that
 * is unknown at its first member is reverted (contract 3.10).
 */
export function expectedSuccesses(verb: VerbName, fault: Fault): 0 | 1 {
  const isBundle = verbs[verb].kind.startsWith("bundle_");
  switch (fault) {
    case "none":
      return 1;
    case "losesAnswer":
    case "answersLate":
    case "garblesAnswer":
    case "rejectsLastMember":
      return isBundle ? 0 : 1;
    case "rejects":
    case "losesRequest":
    case "refusesConnection":
      return 0;
    default:
      return fault satisfies never;
  }
}
