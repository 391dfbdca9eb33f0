import { randomBytes } from "node:crypto";
import { createSandboxProvider } from "#lib/adapters/provider-sandbox.ts";
import { listBundleOffers, listProductOffers } from "#lib/db/catalog/offer.ts";
import { openSandboxBooks } from "#lib/db/provider/sandbox.ts";
import { endDemoLicense, markDemoPasswords, postponeDemoOperation } from "#lib/db/seed/demo.ts";
import { parseHostname } from "#lib/domain/hostname.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { LabelChange } from "#lib/domain/labels.ts";
import { type LicenseAddress, parseLicenseAddress } from "#lib/domain/license-address.ts";
import { everydayScopes } from "#lib/domain/scopes.ts";
import { getRuntime } from "#lib/runtime.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import type { Actor, ServiceContext } from "#lib/services/context.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { type RegistrationResult, registerLicense } from "#lib/services/license/register.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { updateLicense } from "#lib/services/license/update.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { createAdmin } from "#lib/services/user/create-admin.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { seedCatalog } from "./catalog.ts";
import { seedReports } from "./demo-reports.ts";

/** Credentials; the caller writes them to a file that only the operator can read. */
export interface DemoCredentials {
  readonly url: string;
  readonly admin: { readonly email: string; readonly password: string };
  readonly reseller: { readonly email: string; readonly password: string };
  readonly api_key: string;
}

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 86_400_000;
/** Longer than anyone looks at the demonstration. */
const PENDING_FOR_DAYS = 365;

interface LicenseSeed {
  readonly type: string;
  readonly months: number;
  readonly ip: string;
  readonly host: string;
  readonly daysAgo: number;
  readonly cores?: number;
  readonly suspend?: string;
  readonly terminate?: boolean;
  readonly labels?: LabelChange;
}

const topUps = [
  { daysAgo: 390, amount: "500.00", note: "Bank transfer", reference: "DEMO-1001" },
  { daysAgo: 30, amount: "250.00", note: "Card payment", reference: "DEMO-1002" },
];

/** An event of the demonstration's past. */
interface Step {
  readonly daysAgo: number;
  run(): Promise<void>;
}

const bakery = {
  customerName: "Greenfield Bakery",
  customerEmail: "office@greenfield.example",
  customerReference: "C-1042",
};

const licenses: readonly LicenseSeed[] = [
  {
    type: "control_panel",
    months: 12,
    ip: "198.51.100.11",
    host: "web1.northwind.example",
    daysAgo: 340,
    labels: { ...bakery, tags: ["managed"] },
  },
  { type: "control_panel", months: 1, ip: "198.51.100.12", host: "web2.northwind.example", daysAgo: 12 },
  { type: "hardened_kernel", months: 1, ip: "198.51.100.12", host: "web2.northwind.example", daysAgo: 25 },
  {
    type: "web_server",
    months: 3,
    ip: "198.51.100.13",
    host: "shop.northwind.example",
    daysAgo: 20,
    cores: 4,
    labels: { ...bakery, tags: ["eu", "managed"] },
  },
  {
    type: "malware_scanner",
    months: 1,
    ip: "198.51.100.13",
    host: "shop.northwind.example",
    daysAgo: 8,
    suspend: "Payment overdue",
  },
  { type: "backup_agent", months: 1, ip: "198.51.100.14", host: "backup.northwind.example", daysAgo: 75 },
  {
    type: "control_panel",
    months: 1,
    ip: "198.51.100.15",
    host: "old.northwind.example",
    daysAgo: 200,
    terminate: true,
  },
];

/** The demonstration: a catalog, an admin, and a reseller with money and a license in every state. */
export async function seedDemo({ url }: { readonly url: string }): Promise<DemoCredentials> {
  const { db } = getRuntime();
  await seedCatalog(db);
  const operator: Actor = { kind: "system", name: "demo" };
  const admin = { email: "admin@license-desk.example", password: newPassword() };
  const reseller = { email: "reseller@northwind.example", password: newPassword() };
  await createAdmin(contextAt(operator, 400), { ...admin, name: "Demo Admin" });
  const { resellerId } = await createReseller(contextAt(operator, 400), {
    ...reseller,
    name: "Northwind Hosting",
    currency: "USD",
  });
  await markDemoPasswords(db, [admin.email, reseller.email]);
  const buyer: Actor = {
    kind: "api_key",
    apiKeyId: 0 as never,
    firstKeyId: 0 as never,
    resellerId,
    scopes: new Set(everydayScopes),
    licenseId: null,
    spendingKeyId: null,
  };
  // Oldest first, so that ids and ledger agree with the dates.
  const steps: Step[] = [
    ...topUps.map(({ daysAgo, ...topUp }) => ({
      daysAgo,
      run: async () => void (await topUpWallet(contextAt(operator, daysAgo), { resellerId, ...topUp })),
    })),
    ...licenses.flatMap((seed) => licenseSteps(buyer, resellerId, seed)),
    { daysAgo: 5, run: () => seedBundle(buyer, resellerId) },
    { daysAgo: 0, run: () => seedPending(buyer, resellerId) },
  ];
  for (const step of steps.toSorted((one, other) => other.daysAgo - one.daysAgo)) await step.run();
  await seedReports(resellerId, (daysAgo) => contextAt(buyer, daysAgo));

  const { apiKey } = await createResellerApiKey(contextAt(operator, 0), {
    resellerId,
    name: "Demo key",
    scopes: everydayScopes,
  });
  return { url, admin, reseller, api_key: apiKey };
}

/** A context whose clock is set back. */
function contextAt(actor: Actor, daysAgo: number): ServiceContext {
  const now = new Date(Date.now() - daysAgo * MS_PER_DAY);
  return { ...getRuntime().contextFor(actor, { requestId: "demo" }), now: () => now };
}

function licenseSteps(buyer: Actor, resellerId: ResellerId, seed: LicenseSeed): Step[] {
  const { daysAgo, cores, suspend, terminate, labels = null } = seed;
  let license: RegistrationResult;
  const steps: Step[] = [
    {
      daysAgo,
      run: async () => {
        const ctx = contextAt(buyer, daysAgo);
        license = await registerLicense(ctx, { ...(await findOffer(resellerId, seed)), ipAddress: ip(seed.ip) });
        // A minute later, so that its history begins with the registration.
        await updateLicense(contextAt(buyer, daysAgo - MS_PER_MINUTE / MS_PER_DAY), {
          licenseKey: license.licenseKey,
          hostname: parseHostname(seed.host) ?? undefined,
          labels,
        });
      },
    },
  ];
  const later = (days: number, run: (ctx: ServiceContext, licenseId: number) => Promise<unknown>) =>
    steps.push({ daysAgo: days, run: async () => void (await run(contextAt(buyer, days), license.licenseId)) });
  if (cores) later(daysAgo - 5, (ctx, licenseId) => changeLicenseCores(ctx, { licenseId, cores }));
  if (suspend) later(2, (ctx, licenseId) => suspendLicense(ctx, { licenseId, reason: suspend }));
  if (terminate) later(daysAgo - 20, (ctx, licenseId) => endDemoLicense(getRuntime().db, licenseId, ctx.now()));
  return steps;
}

async function seedBundle(buyer: Actor, resellerId: ResellerId): Promise<void> {
  const [bundle] = await listBundleOffers(getRuntime().db, resellerId);
  const cycle = bundle?.cycles[0];
  if (!bundle || !cycle) throw new Error("the demo catalog has no bundle");
  await registerBundle(contextAt(buyer, 5), {
    bundleId: bundle.bundleId,
    cycleId: cycle.cycleId,
    ipAddress: ip("198.51.100.20"),
  });
}

/** 192.0.2.20 simulates a provider whose response never arrives (contract 5). */
async function seedPending(buyer: Actor, resellerId: ResellerId): Promise<void> {
  const { db } = getRuntime();
  const impatient = createSandboxProvider({ books: openSandboxBooks(db), timeoutMs: 1 });
  const ctx = { ...contextAt(buyer, 0), providers: new Map([[impatient.name, impatient]]) };
  const offer = await findOffer(resellerId, { type: "hardened_kernel", months: 1 });
  const { operation } = await registerLicense(ctx, {
    ...offer,
    ipAddress: ip("192.0.2.20"),
    notes: "Simulates an unknown outcome",
  });
  await postponeDemoOperation(db, operation.id, new Date(Date.now() + PENDING_FOR_DAYS * MS_PER_DAY));
}

async function findOffer(resellerId: ResellerId, wanted: { readonly type: string; readonly months: number }) {
  const offers = await listProductOffers(getRuntime().db, resellerId);
  const product = offers.find(({ type }) => type === wanted.type);
  const cycle = product?.cycles.find(({ months }) => months === wanted.months);
  if (!product || !cycle) throw new Error(`the demo catalog has no ${wanted.type} for ${wanted.months} months`);
  return { productId: product.productId, cycleId: cycle.cycleId };
}

function ip(text: string): LicenseAddress {
  const address = parseLicenseAddress(text);
  if (!address) throw new Error(`${text} is not an IPv4 address`);
  return address;
}

function newPassword(): string {
  return randomBytes(12).toString("base64url");
}
