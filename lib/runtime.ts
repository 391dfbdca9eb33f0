import { randomBytes } from "node:crypto";
import { type Logger, pino } from "pino";
import { localHostProbe } from "#lib/adapters/host-probe-local.ts";
import { createDnsHostResolver } from "#lib/adapters/host-resolver-dns.ts";
import { createDispatchProvider } from "#lib/adapters/provider-dispatch.ts";
import { guardProvider } from "#lib/adapters/provider-guard.ts";
import { createSandboxProvider } from "#lib/adapters/provider-sandbox.ts";
import { createResolver } from "#lib/adapters/webhook-resolver.ts";
import { createHttpWebhookSender } from "#lib/adapters/webhook-sender-http.ts";
import { type Database, openDatabase } from "#lib/db/client.ts";
import { type Cidr, parseCidr } from "#lib/domain/ipv4.ts";
import { PUBLIC_TARGETS, type TargetRules } from "#lib/domain/public-address.ts";
import { FixedWindowLimiter } from "#lib/domain/rate-limit.ts";
import { parseSealingKey } from "#lib/domain/sealed-secret.ts";
import { readEnv } from "#lib/env.ts";
import type { WebhookSender } from "#lib/ports/webhook-sender.ts";
import { createKeyring, type Keyring } from "#lib/services/api-key/keyring.ts";
import type { Actor, ServiceContext } from "#lib/services/context.ts";
import { createProviderRegistry } from "#lib/services/provider/registry.ts";

/** The parts of a running process, put together here and nowhere else. */
export interface Runtime {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly requestLimiter: FixedWindowLimiter;
  readonly trustedProxies: readonly Cidr[];
  readonly webhookSender: WebhookSender;
  readonly log: Logger;
  /** What a service gets beside its input. */
  contextFor(
    actor: Actor,
    request: {
      readonly requestId: string;
      readonly idempotencyKey?: string | null;
      readonly seenVersion?: string | null;
    },
  ): ServiceContext;
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;
const MAX_TRACKED_CALLERS = 200_000;
/** A bundle's steps run one after the other, so its lease covers several provider calls. */
const LEASE_PROVIDER_CALLS = 12;
const MIN_LEASE_MS = 60_000;

/** Five requests in a row without an answer, and a provider is left alone for half a minute. */
const BREAKER = { failuresToOpen: 5, coolDownMs: 30_000 };

function createRuntime(): Runtime {
  const env = readEnv();
  if (!env.DATABASE_URL) throw new Error("DATABASE_URL is not set: start with `npm start`, or set it.");
  if (!env.API_KEY_PEPPER) throw new Error("API_KEY_PEPPER is not set: start with `npm start`, or set it.");
  const db = openDatabase({ url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE });
  const timeoutMs = env.PROVIDER_TIMEOUT_MS;
  const sealingKey = env.ENCRYPTION_KEY ? parseSealingKey(env.ENCRYPTION_KEY) : null;
  const providers = createProviderRegistry(db, sealingKey, {
    sandbox: () => createSandboxProvider({ query: db.query, timeoutMs }),
    dispatch: (access) => guardProvider(createDispatchProvider({ ...access, timeoutMs }), BREAKER),
  });
  const webhookTargets: TargetRules = {
    allowHttp: env.WEBHOOK_ALLOW_HTTP === "1",
    allowedCidrs: env.WEBHOOK_ALLOW_CIDRS.map(parseCidr).filter((cidr) => cidr !== null),
  };
  const webhookSender = createHttpWebhookSender({ rules: webhookTargets });
  const parts = {
    db,
    providers,
    hostProbe: localHostProbe,
    hostResolver: createDnsHostResolver(createResolver(PUBLIC_TARGETS)),
    now: () => new Date(),
    randomBytes: (count: number) => randomBytes(count),
    settings: {
      apiKeyPepper: env.API_KEY_PEPPER,
      sealingKey,
      operationLeaseMs: Math.max(MIN_LEASE_MS, LEASE_PROVIDER_CALLS * timeoutMs),
      inboxAfterMs: env.RECONCILE_INBOX_AFTER_MINUTES * MINUTE_MS,
      liveDiagnostics: env.DIAGNOSTICS_LIVE === "on",
      webhookTargets,
    },
  };
  return {
    db,
    keyring: createKeyring(db, env.API_KEY_PEPPER, sealingKey),
    requestLimiter: new FixedWindowLimiter({ windowMs: MINUTE_MS, maxTracked: MAX_TRACKED_CALLERS }),
    trustedProxies: env.TRUSTED_PROXIES.map(parseCidr).filter((cidr) => cidr !== null),
    webhookSender,
    log: pino({ level: env.LOG_LEVEL, base: null }),
    contextFor: (actor, { requestId, idempotencyKey = null, seenVersion = null }) => ({
      ...parts,
      actor,
      requestId,
      idempotencyKey,
      seenVersion,
    }),
    async close() {
      await Promise.all([providers.close(), webhookSender.close()]);
      await db.close();
    },
  };
}

// Next bundles its own copy of this module beside the one that the server imports: they share one runtime.
const shared = globalThis as { licenseDeskRuntime?: Runtime };

export function getRuntime(): Runtime {
  shared.licenseDeskRuntime ??= createRuntime();
  return shared.licenseDeskRuntime;
}

/** Writes what is collected and closes every connection. */
export async function closeRuntime(): Promise<void> {
  const runtime = shared.licenseDeskRuntime;
  delete shared.licenseDeskRuntime;
  await runtime?.close();
}
