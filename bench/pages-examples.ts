/** An example for each page with `[…]` in its folder, created once per database by the dashboard's services. */
import { randomUUID } from "node:crypto";
import { parseHostname } from "#lib/domain/hostname.ts";
import {
  type EventId,
  formatEventId,
  formatWebhookEndpointId,
  type LicenseId,
  type ResellerId,
  type UserId,
  type WebhookEndpointId,
} from "#lib/domain/ids.ts";
import { type LicenseAddress, parseLicenseAddress } from "#lib/domain/license-address.ts";
import { parseLicenseKey } from "#lib/domain/license-key.ts";
import { registrationPrice } from "#lib/domain/pricing.ts";
import { getRuntime } from "#lib/runtime.ts";
import { runBulkJob } from "#lib/services/bulk/run.ts";
import { startLicenseBulk } from "#lib/services/bulk/start-licenses.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { listBundles } from "#lib/services/catalog/list-bundles.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { reportDiagnostics } from "#lib/services/diagnostics/report.ts";
import { createProvider } from "#lib/services/provider/create.ts";
import { detectDrift } from "#lib/services/reconciliation/detect-drift.ts";
import { createUser } from "#lib/services/user/create.ts";
import { createWebhookEndpoint } from "#lib/services/webhook/create.ts";
import { sendTestEvent } from "#lib/services/webhook/send-test-event.ts";

export interface ExampleOf {
  readonly resellerId: ResellerId;
  readonly userId: UserId;
  readonly licenseId: LicenseId;
  readonly apiKeyId: number;
}

/** From a network that the seed does not use. */
const addresses = { bundle: ip("198.51.100.20") };
const PROVIDER = "upstream";

interface Ids extends ExampleOf {
  readonly address: string;
  readonly productId: number;
  readonly bundleId: number;
  readonly bundleInstanceId: number;
  readonly jobId: number;
  readonly caseId: number;
  readonly mailId: bigint;
  readonly endpointId: WebhookEndpointId;
  readonly eventId: EventId;
}

/** The path of each page with `[…]` in its folder. */
export const EXAMPLES: Readonly<Record<string, (ids: Ids) => string>> = {
  "/api-keys/[id]": ({ apiKeyId }) => `/api-keys/${apiKeyId}`,
  "/bundles/[id]": ({ bundleInstanceId }) => `/bundles/${bundleInstanceId}`,
  "/catalog/bundles/[id]": ({ bundleId }) => `/catalog/bundles/${bundleId}`,
  "/catalog/bundles/[id]/edit": ({ bundleId }) => `/catalog/bundles/${bundleId}/edit`,
  "/catalog/products/[id]": ({ productId }) => `/catalog/products/${productId}`,
  "/catalog/products/[id]/edit": ({ productId }) => `/catalog/products/${productId}/edit`,
  "/diagnostics/[address]": ({ address }) => `/diagnostics/${address}`,
  "/jobs/[id]": ({ jobId }) => `/jobs/${jobId}`,
  "/licenses/[id]": ({ licenseId }) => `/licenses/${licenseId}`,
  "/licenses/[id]/verifications": ({ licenseId }) => `/licenses/${licenseId}/verifications`,
  "/outbox/[id]": ({ mailId }) => `/outbox/${mailId}`,
  "/providers/[name]": () => "/providers/sandbox",
  "/providers/[name]/edit": () => `/providers/${PROVIDER}/edit`,
  "/providers/[name]/import": () => `/providers/${PROVIDER}/import`,
  "/reconciliation/[id]": ({ caseId }) => `/reconciliation/${caseId}`,
  "/resellers/[id]": ({ resellerId }) => `/resellers/${resellerId}`,
  "/resellers/[id]/activity": ({ resellerId }) => `/resellers/${resellerId}/activity`,
  "/resellers/[id]/api-keys": ({ resellerId }) => `/resellers/${resellerId}/api-keys`,
  "/resellers/[id]/api-keys/[keyId]": ({ resellerId, apiKeyId }) => `/resellers/${resellerId}/api-keys/${apiKeyId}`,
  "/resellers/[id]/api-keys/new": ({ resellerId }) => `/resellers/${resellerId}/api-keys/new`,
  "/resellers/[id]/licenses": ({ resellerId }) => `/resellers/${resellerId}/licenses`,
  "/resellers/[id]/prices": ({ resellerId }) => `/resellers/${resellerId}/prices`,
  "/resellers/[id]/settings": ({ resellerId }) => `/resellers/${resellerId}/settings`,
  "/resellers/[id]/statement": ({ resellerId }) => `/resellers/${resellerId}/statement`,
  "/resellers/[id]/team": ({ resellerId }) => `/resellers/${resellerId}/team`,
  "/resellers/[id]/wallet": ({ resellerId }) => `/resellers/${resellerId}/wallet`,
  "/webhooks/[id]": ({ endpointId }) => `/webhooks/${formatWebhookEndpointId(endpointId)}`,
  "/webhooks/[id]/edit": ({ endpointId }) => `/webhooks/${formatWebhookEndpointId(endpointId)}/edit`,
  "/webhooks/log/[eventId]": ({ eventId }) => `/webhooks/log/${formatEventId(eventId)}`,
};

export async function makeExamples(operator: ServiceContext, of: ExampleOf): Promise<Readonly<Record<string, string>>> {
  const { prisma } = getRuntime().db;
  const user = getRuntime().contextFor(
    { kind: "reseller_user", resellerId: of.resellerId, userId: of.userId, role: "owner" },
    { requestId: randomUUID() },
  );
  const { ipAddress } = await prisma.license.findFirstOrThrow({ where: { id: of.licenseId } });
  const product = await prisma.product.findFirstOrThrow();
  const bundle = await prisma.bundle.findFirstOrThrow();
  await makeReport(user, of.licenseId);
  await makeProvider(operator);
  const ids: Ids = {
    ...of,
    address: ipAddress,
    productId: product.id,
    bundleId: bundle.id,
    bundleInstanceId: await makeBundleInstance(user, bundle.id, addresses.bundle),
    jobId: await makeBulkJob(operator, user, of.licenseId),
    caseId: await makeCase(operator),
    mailId: await makeMail(operator, of.resellerId),
    ...(await makeDelivery(user)),
  };
  return Object.fromEntries(Object.entries(EXAMPLES).map(([route, pathOf]) => [route, pathOf(ids)]));
}

async function makeReport(user: ServiceContext, id: LicenseId): Promise<void> {
  const { key, ipAddress } = await getRuntime().db.prisma.license.findFirstOrThrow({ where: { id } });
  const licenseKey = parseLicenseKey(key);
  const hostname = parseHostname("web1.meridian.example");
  if (licenseKey === null || hostname === null) throw new Error(`license ${id} cannot report`);
  const host = { os: "Debian GNU/Linux 12", kernel: "6.1.0-28-amd64", cpuCores: 8, memory: "31GB", diskFree: "96GB" };
  const sentAt = user.now();
  await reportDiagnostics(user, { ...host, uptime: "33 days", licenseKey, hostname, sourceAddress: ipAddress, sentAt });
}

async function makeProvider(operator: ServiceContext): Promise<void> {
  if ((await getRuntime().db.prisma.provider.count({ where: { name: PROVIDER } })) > 0) return;
  await createProvider(operator, { name: PROVIDER, baseUrl: "https://upstream.example/api/v1/", apiKey: randomUUID() });
}

async function makeBundleInstance(user: ServiceContext, bundleId: number, ipAddress: LicenseAddress): Promise<number> {
  const { prisma } = getRuntime().db;
  const member = await prisma.license.findFirst({ where: { ipAddress, bundleInstanceId: { not: null } } });
  if (member?.bundleInstanceId) return member.bundleInstanceId;
  const offer = (await listBundles(user)).find((candidate) => candidate.bundleId === bundleId);
  const cycle = offer?.cycles[0];
  if (!cycle) throw new Error(`bundle ${bundleId} is not sold`);
  const agreedPrice = registrationPrice(cycle);
  return (await registerBundle(user, { bundleId, cycleId: cycle.cycleId, ipAddress, agreedPrice })).instance.id;
}

async function makeBulkJob(operator: ServiceContext, user: ServiceContext, licenseId: LicenseId): Promise<number> {
  const made = await getRuntime().db.prisma.bulkJob.findFirst({ where: { kind: "set_notes" } });
  if (made) return made.id;
  const change = { kind: "set_notes", notes: "Measured" } as const;
  const selection = { licenseIds: [licenseId] };
  const { jobId } = await startLicenseBulk(user, { change, selection, agreed: { count: 1, total: 0n } });
  await runBulkJob(operator, { jobId });
  return jobId;
}

/** Compares all of the provider's books, from which one license is removed. */
async function makeCase(operator: ServiceContext): Promise<number> {
  const { prisma } = getRuntime().db;
  const made = () => prisma.reconciliationCase.findFirst();
  if (!(await made())) {
    const { key } = await prisma.license.findFirstOrThrow({ where: { bundleInstanceId: { not: null } } });
    await prisma.sandboxProviderLicense.delete({ where: { reference: key } });
    await detectDrift(operator, { provider: "sandbox" });
  }
  const { id } = (await made()) ?? {};
  if (id === undefined) throw new Error("the comparison has found nothing");
  return id;
}

async function makeMail(operator: ServiceContext, resellerId: ResellerId): Promise<bigint> {
  const { prisma } = getRuntime().db;
  const email = `${randomUUID()}@bench.example`;
  await createUser(operator, { email, name: "Invited", resellerId, role: "viewer" });
  return (await prisma.mail.findFirstOrThrow()).id;
}

async function makeDelivery(user: ServiceContext) {
  const { prisma } = getRuntime().db;
  const made = await prisma.webhookEndpoint.findFirst();
  const { id } = made ?? (await createWebhookEndpoint(user, { url: "https://hooks.meridian.example/" })).endpoint;
  // As after its challenge.
  await prisma.webhookEndpoint.update({ where: { id }, data: { pendingSince: null } });
  const { eventId } = await sendTestEvent(user, { endpointId: id });
  return { endpointId: id as WebhookEndpointId, eventId };
}

function ip(text: string): LicenseAddress {
  const address = parseLicenseAddress(text);
  if (!address) throw new Error(`${text} is no IPv4 address`);
  return address;
}
