import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { findOperation } from "#lib/db/operation/operation.ts";
import type { LicenseId, ResellerId, UserId } from "#lib/domain/ids.ts";
import { parseCurrency, parseMajor, toMajorText } from "#lib/domain/money.ts";
import { type Scope, scopes } from "#lib/domain/scopes.ts";
import { getRuntime } from "#lib/runtime.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { resumeOperation } from "#lib/services/operation/resume.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { setResellerSuspended } from "#lib/services/reseller/settings.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { addCycle, createBundle, createProduct, type ProductOptions } from "./catalog.ts";
import { dispatchClient, pathClient } from "./client.ts";
import { someResellerName } from "./names.ts";

export interface ResellerOptions {
  readonly currency?: string;
  /** Major units, as decimal text; "0" leaves the wallet empty. */
  readonly funds?: string;
  readonly scopes?: readonly Scope[];
  readonly rateLimit?: number;
}

export interface KeyOptions {
  readonly mode?: "live" | "test";
  readonly scopes?: readonly Scope[];
  readonly rateLimit?: number;
  readonly cidrs?: readonly string[];
  readonly expiresAt?: Date;
  readonly signing?: "optional" | "required";
}

const BOUNDLESS = 1_000_000;
const DAY_MS = 86_400_000;
const CLAIM_TIMEOUT_MS = 5_000;
const CLAIM_POLL_MS = 10;
const SETTLE_TIMEOUT_MS = 60_000;
const SETTLE_POLL_MS = 200;

export function systemContext(): ServiceContext {
  return getRuntime().contextFor({ kind: "system", name: "e2e" }, { requestId: "e2e" });
}

export function adminContext(resellerId: ResellerId): ServiceContext {
  return getRuntime().contextFor(
    { kind: "admin", userId: 0 as UserId, resellerId, role: "owner" },
    { requestId: "e2e" },
  );
}

/** A reseller with money, a key and addresses that no other test uses; it calls the API at `baseUrl`. */
export async function newReseller(baseUrl: string, options: ResellerOptions = {}) {
  const { currency = "USD", funds = "1000", rateLimit = BOUNDLESS } = options;
  const email = `${randomBytes(8).toString("hex")}@reseller.example`;
  const name = someResellerName();
  const { resellerId } = await createReseller(systemContext(), { name, email, currency });
  if (funds !== "0") await topUpWallet(systemContext(), { resellerId, amount: funds, note: "" });

  const newKey = (key: KeyOptions = {}) =>
    createResellerApiKey(systemContext(), {
      resellerId,
      name: "e2e",
      mode: key.mode,
      scopes: key.scopes ?? scopes,
      rateLimitPerMinute: key.rateLimit ?? BOUNDLESS,
      cidrs: key.cidrs ?? [],
      expiresAt: key.expiresAt ?? null,
      signing: key.signing ?? null,
    });
  const { apiKey, apiKeyId } = await newKey({ rateLimit, ...(options.scopes ? { scopes: options.scopes } : {}) });

  // Public: the dashboard asks whether a private address is meant.
  let addressCount = 0;
  const newAddress = () => {
    addressCount += 1;
    return `${11 + (addressCount >> 8)}.${resellerId >> 8}.${resellerId & 255}.${addressCount & 255}`;
  };
  const source = newAddress();
  const caller = { baseUrl, apiKey, source };
  const path = pathClient(caller);
  const dispatch = dispatchClient(caller);
  const buyer = { resellerId, currency };

  return {
    resellerId,
    name,
    apiKey,
    apiKeyId,
    baseUrl,
    currency,
    /** The address that its requests come from, and are bound to where a test says so. */
    source,
    path,
    dispatch,
    newAddress,
    newKey,
    /** The same caller with a key of test mode. */
    async inTestMode() {
      const { apiKey } = await newKey({ mode: "test" });
      const tester = { ...caller, apiKey };
      return { ...tester, resellerId, newAddress, path: pathClient(tester), dispatch: dispatchClient(tester) };
    },
    newProduct: (product?: ProductOptions) => createProduct(buyer, product),
    newCycle: (productId: number, cycle: ProductOptions) => addCycle(buyer, { productId }, cycle),
    newBundleCycle: (bundleId: number, cycle: ProductOptions) => addCycle(buyer, { bundleId }, cycle),
    newBundle: (members: readonly ProductOptions[], bundle?: ProductOptions) => createBundle(buyer, members, bundle),
    /** Registers a license over HTTP, of a new product unless told. */
    async newLicense(license: { ip?: string; notes?: string; product?: ProductOptions } = {}) {
      const product = await createProduct(buyer, license.product);
      const { status, text, body } = await dispatch.post("license.register", {
        product_id: product.product_id,
        cycle_id: product.cycle_id,
        ip_address: license.ip ?? newAddress(),
        ...(license.notes === undefined ? {} : { notes: license.notes }),
      });
      if (status > 202) throw new Error(`no license could be registered: ${status} ${text}`);
      const isRehearsal = license.ip?.startsWith("192.0.2.") ?? false;
      if (status === 202 && !isRehearsal) await untilSucceeded(String(body.data.operation_id));
      return { ...product, ...body.data, license_id: body.data.license_id as LicenseId };
    },
  };
}

export type Reseller = Awaited<ReturnType<typeof newReseller>>;

/** On a busy machine, the provider's answer can come too late. */
async function untilSucceeded(operationId: string): Promise<void> {
  for (const deadline = Date.now() + SETTLE_TIMEOUT_MS; Date.now() < deadline; await sleep(SETTLE_POLL_MS)) {
    if ((await reconcile(operationId)) === "succeeded") return;
  }
  throw new Error(`operation ${operationId} does not succeed`);
}

/** As an admin does it; its sessions and keys are refused from then on. */
export function suspendReseller({ resellerId }: { readonly resellerId: ResellerId }): Promise<void> {
  return setResellerSuspended(systemContext(), { resellerId, suspended: true, reason: "Unpaid" });
}

/** What no call of the API does: ends a license, moves its whole term into the past, or rebinds it unasked. */
export async function setLicense(
  licenseId: number,
  to: "terminated" | { readonly expiredDays: number } | { readonly endsAt: Date } | { readonly movedTo: string },
): Promise<void> {
  const { prisma } = getRuntime().db;
  const where = { id: licenseId };
  if (to === "terminated") {
    await prisma.license.updateMany({ where, data: { terminatedAt: new Date() } });
  } else if ("endsAt" in to) {
    await prisma.license.updateMany({ where, data: { expiresAt: to.endsAt } });
  } else if ("movedTo" in to) {
    await prisma.license.updateMany({ where, data: { ipAddress: to.movedTo } });
  } else {
    const license = await prisma.license.findFirstOrThrow({ where });
    const shiftMs = license.expiresAt.getTime() - Date.now() + to.expiredDays * DAY_MS;
    const earlier = (date: Date) => new Date(date.getTime() - shiftMs);
    const { issuedAt, anchoredAt, expiresAt } = license;
    await prisma.license.updateMany({
      where,
      data: { issuedAt: earlier(issuedAt), anchoredAt: earlier(anchoredAt), expiresAt: earlier(expiresAt) },
    });
  }
}

/** Waits until a request has claimed an idempotency key. */
export async function untilClaimed({ resellerId }: { readonly resellerId: ResellerId }, key: string): Promise<void> {
  for (const deadline = Date.now() + CLAIM_TIMEOUT_MS; Date.now() < deadline; await sleep(CLAIM_POLL_MS)) {
    const where = { resellerId_key: { resellerId, key } };
    if (await getRuntime().db.prisma.idempotencyRecord.findUnique({ where })) return;
  }
  throw new Error(`no request has claimed ${key}`);
}

/** Asks the provider about one pending operation, as the worker does with all. Returns the state it ended in. */
export async function reconcile(operationId: string): Promise<string> {
  const ctx = systemContext();
  const operation = await findOperation(ctx.db, operationId);
  if (!operation) throw new Error(`no operation ${operationId}`);
  return (await resumeOperation(ctx, operation)).state;
}

/** Minor units of a JSON number of major units, by its decimal text: exact or not at all. */
export function minor(amount: number, currencyCode: string): bigint {
  const currency = parseCurrency(currencyCode);
  const value = currency && parseMajor(String(amount), currency);
  if (value === null) throw new Error(`${amount} is no exact amount of ${currencyCode}`);
  return value;
}

/** Minor units as the JSON number that the contract writes. */
export function major(amount: bigint, currencyCode: string): number {
  const currency = parseCurrency(currencyCode);
  if (!currency) throw new Error(`${currencyCode} is no currency`);
  return Number(toMajorText(amount, currency));
}
