import { randomBytes } from "node:crypto";
import { type Logger, pino } from "pino";
import { createLocalHostProbe } from "#lib/adapters/host-probe-local.ts";
import { createDnsHostResolver } from "#lib/adapters/host-resolver-dns.ts";
import { createOidcIssuer } from "#lib/adapters/oidc-issuer.ts";
import { createMetrics, type Metrics } from "#lib/adapters/prometheus.ts";
import { createDispatchProvider } from "#lib/adapters/provider-dispatch.ts";
import { type BreakerChange, guardProvider } from "#lib/adapters/provider-guard.ts";
import { createSandboxProvider } from "#lib/adapters/provider-sandbox.ts";
import { watchProvider } from "#lib/adapters/provider-watch.ts";
import { createSmtpSender } from "#lib/adapters/smtp.ts";
import { createResolver } from "#lib/adapters/webhook-resolver.ts";
import { createHttpWebhookSender } from "#lib/adapters/webhook-sender-http.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { createConnectionTurns, inTurn } from "#lib/db/connection/in-turn.ts";
import { createLeaseKeeper } from "#lib/db/lease/keeper.ts";
import { type ProcessLease, startProcessLease } from "#lib/db/lease/process.ts";
import { readFigures } from "#lib/db/monitoring/figures.ts";
import { openSandboxBooks } from "#lib/db/provider/sandbox.ts";
import type { Cidr } from "#lib/domain/cidr.ts";
import type { FailureWatch } from "#lib/domain/failure-watch.ts";
import type { Figures } from "#lib/domain/figures.ts";
import { isReachedLocally } from "#lib/domain/loopback.ts";
import type { AnsweredCall } from "#lib/domain/observation.ts";
import { PUBLIC_TARGETS, type TargetRules } from "#lib/domain/public-address.ts";
import { parseSealingKey } from "#lib/domain/sealed-secret.ts";
import type { TurnOwner } from "#lib/domain/turns.ts";
import { type Env, publicOriginOf } from "#lib/env.ts";
import type { ProviderHealth } from "#lib/ports/license-provider.ts";
import type { Limiter } from "#lib/ports/limiter.ts";
import type { MailSender } from "#lib/ports/mail-sender.ts";
import type { SignInIssuer } from "#lib/ports/sign-in-issuer.ts";
import type { WebhookSender } from "#lib/ports/webhook-sender.ts";
import { cacheAnswer } from "#lib/server/cached-answer.ts";
import { recordDatabaseFailure, takePageTurn } from "#lib/server/page-request.ts";
import { requireEnv } from "#lib/server/require-env.ts";
import { createKeyring, type Keyring } from "#lib/services/api-key/keyring.ts";
import type { Actor, ServiceContext } from "#lib/services/context.ts";
import { createProviderRegistry } from "#lib/services/provider/registry.ts";
import type { SessionLimits } from "#lib/services/user/sign-in.ts";
import { createAccessLog } from "./access-log.ts";
import { keepProviderHealth } from "./keep-provider-health.ts";
import { openDatabases } from "./open-databases.ts";
import { openLimiters } from "./open-limiters.ts";
import { createTestProvider } from "./test-provider.ts";
import { watchOutages } from "./watch-outages.ts";

export { readDisk } from "#lib/adapters/host-probe-local.ts";

/** Composition root of the process. */
export interface Runtime {
  readonly db: Database;
  readonly processLease: ProcessLease;
  /** The database's clock. */
  now(): Date;
  readonly keyring: Keyring;
  readonly requestLimiter: Limiter;
  readonly trustedProxies: readonly Cidr[];
  readonly webhookSender: WebhookSender;
  /** Null without a mail server. */
  readonly mailSender: MailSender | null;
  /** Null: users sign in here only. */
  readonly signInIssuer: SignInIssuer | null;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Counts an answered request, and logs it if configured. */
  requestAnswered(call: AnsweredCall): void;
  /** Nothing is changed, renewed or sent (docs/decisions/0023). */
  readonly safeMode: boolean;
  readonly sessionLimits: SessionLimits;
  /** Whether an admin without a second factor has to set one up first. */
  readonly adminsNeedFactor: boolean;
  /** Begins the turn of the running page or action; returns whether it had to wait. @throws DomainError `unavailable` */
  takePageTurn(owner: TurnOwner): Promise<boolean>;
  /** Builds the context of a service call. */
  contextFor(
    actor: Actor,
    request: {
      readonly requestId: string;
      readonly sessionId?: string | null;
      readonly address?: string | null;
      readonly seenVersion?: string | null;
    },
  ): ServiceContext;
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const REQUESTS = { name: "requests", windowMs: MINUTE_MS, maxTracked: 200_000 };
const MAILS = { name: "mails", windowMs: HOUR_MS, maxTracked: 50_000 };

/** A scrape waits no longer for the database. */
const FIGURES = { ttlMs: 5_000, waitMs: 2_000, late: null };

/** Opens after five consecutive timeouts; half-opens after 30 s. */
const BREAKER = { failuresToOpen: 5, coolDownMs: 30_000 };

function createRuntime(): Runtime {
  const env = requireEnv(["DATABASE_URL", "API_KEY_PEPPER"]);
  const log = pino({ level: env.LOG_LEVEL, base: null });
  const outages = watchOutages(log);
  const safeMode = env.SAFE_MODE === "on";
  const processLease = startProcessLease({
    databaseUrl: env.DATABASE_URL,
    readOnly: safeMode,
    log: (message) => log.warn(message),
    watch: outages.database,
  });
  const { now } = processLease;
  const { db, pools } = openDatabases(env, log, outages);
  const readClockOffsetMs = () => Date.now() - now().getTime();
  const metrics = createMetrics({
    readFigures: cacheAnswer<Figures | null>(() => readFigures(db).catch(() => null), FIGURES),
    readClockOffsetMs,
  });
  const connections = createConnectionTurns(env.DATABASE_POOL_SIZE, recordDatabaseFailure);
  metrics.watchPool("requests", pools.requests.poolUse);
  if (pools.replica) metrics.watchPool("replica", pools.replica.poolUse);
  const accessLog = createAccessLog({ all: env.ACCESS_LOG === "on", silent: env.LOG_LEVEL === "silent" });
  metrics.watchDroppedLines(accessLog.droppedCount);
  const answered = metrics.providerAnswered;
  const timeoutMs = env.PROVIDER_TIMEOUT_MS;
  const sealingKey = env.ENCRYPTION_KEY ? parseSealingKey(env.ENCRYPTION_KEY) : null;
  const keepHealth = keepProviderHealth(db);
  const providers = createProviderRegistry(db, sealingKey, {
    sandbox: () => {
      const sandbox = createSandboxProvider({ books: openSandboxBooks(db), timeoutMs });
      return watchProvider(sandbox, { ...outages.provider(sandbox.name), answered });
    },
    // Unwatched: its failures are rehearsed.
    test: () => createTestProvider(db, timeoutMs),
    dispatch: (access) => {
      const { onBreakerChange, ...watches } = outages.provider(access.name);
      const provider = createDispatchProvider({ ...access, timeoutMs, now });
      const onChange = (change: BreakerChange) => {
        onBreakerChange(change);
        metrics.breakerChanged(access.name, change.state);
      };
      const onAnswer = (health: ProviderHealth) => keepHealth(access.name, health);
      metrics.breakerChanged(access.name, "closed");
      return watchProvider(guardProvider(provider, { ...BREAKER, onChange, onAnswer }), { ...watches, answered });
    },
  });
  const webhookTargets: TargetRules = {
    allowHttp: env.WEBHOOK_ALLOW_HTTP === "1",
    allowedCidrs: env.WEBHOOK_ALLOW_CIDRS,
  };
  const webhookSender = createHttpWebhookSender({ rules: webhookTargets });
  const mailSender = createMailSender(env);
  const adminsNeedFactor = !isReachedLocally(env);
  const limiters = openLimiters({ redisUrl: env.REDIS_URL, pepper: env.API_KEY_PEPPER, watch: outages.limiter });
  const parts = {
    db,
    providers,
    hostProbe: createLocalHostProbe({
      folders: env.BACKUP_DIR === undefined ? [env.DATA_DIR] : [env.DATA_DIR, env.BACKUP_DIR],
      readClockOffsetMs,
    }),
    mailLimiter: limiters.limiter(MAILS),
    hostResolver: createDnsHostResolver(createResolver(PUBLIC_TARGETS)),
    now,
    leases: createLeaseKeeper(processLease),
    randomBytes: (count: number) => randomBytes(count),
    settings: {
      apiKeyPepper: env.API_KEY_PEPPER,
      sealingKey,
      inboxAfterMs: env.RECONCILE_INBOX_AFTER_MINUTES * MINUTE_MS,
      adminsNeedFactor,
      liveDiagnostics: env.DIAGNOSTICS_LIVE === "on",
      allowHttpProviders: env.PROVIDER_ALLOW_HTTP === "1",
      webhookTargets,
      telegramUrl: env.TELEGRAM_API_URL,
      webhookLimits: {
        concurrency: env.WEBHOOK_HOST_CONCURRENCY,
        perSecond: env.WEBHOOK_HOST_RATE,
        challengesPerHour: env.WEBHOOK_HOST_CHALLENGES,
      },
      mail: { publicUrl: publicOriginOf(env), hasServer: mailSender !== null },
    },
  };
  return {
    db,
    safeMode,
    processLease,
    now,
    keyring: createKeyring(db, env.API_KEY_PEPPER, sealingKey),
    requestLimiter: limiters.limiter(REQUESTS),
    trustedProxies: env.TRUSTED_PROXIES,
    webhookSender,
    mailSender,
    signInIssuer: findIssuer(env, outages.issuer),
    adminsNeedFactor,
    sessionLimits: { idleMinutes: env.SESSION_IDLE_MINUTES, maxHours: env.SESSION_MAX_HOURS },
    log,
    metrics,
    takePageTurn: (owner) => takePageTurn(owner),
    requestAnswered(call) {
      metrics.requestAnswered(call);
      accessLog.write(call);
    },
    contextFor: (actor, { requestId, sessionId = null, address = null, seenVersion = null }) => ({
      ...parts,
      db: "resellerId" in actor && actor.kind !== "admin" ? inTurn(db, connections, actor.resellerId) : db,
      actor,
      requestId,
      sessionId,
      address,
      claim: null,
      seenVersion,
    }),
    async close() {
      outages.close();
      accessLog.close();
      await Promise.all([limiters.close(), providers.close(), webhookSender.close(), processLease.close()]);
      await db.close();
    },
  };
}

/** Null without a mail server. */
export function createMailSender({ SMTP_URL: url, MAIL_FROM: from }: Env): MailSender | null {
  return url && from ? createSmtpSender({ url, from }) : null;
}

function findIssuer(env: Env, watch: FailureWatch): SignInIssuer | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = env;
  if (!issuer || !clientId || !clientSecret) return null;
  const redirectUri = `${publicOriginOf(env)}/api/auth/oidc/callback`;
  return createOidcIssuer({ issuer, clientId, clientSecret, name, redirectUri, watch });
}

// Next bundles its own copy of this module, which shares the runtime.
const shared = globalThis as { licenseDeskRuntime?: Runtime };

export function getRuntime(): Runtime {
  shared.licenseDeskRuntime ??= createRuntime();
  return shared.licenseDeskRuntime;
}

/** Flushes buffers and closes all connections. */
export async function closeRuntime(): Promise<void> {
  const runtime = shared.licenseDeskRuntime;
  delete shared.licenseDeskRuntime;
  await runtime?.close();
}
