/** Environment variables, parsed once. Their comments are their documentation: `npm run docs:env`. */
import { z } from "zod";
import { parseIssuerRoles } from "#lib/domain/issuer-roles.ts";
import { DEFAULT_TARGET_LIMITS } from "#lib/domain/webhook-limits.ts";
import { TELEGRAM_API_URL } from "./domain/webhook-format.ts";
import { cidrs, flag, integer, isIssuer, onOff, postgresUrl, secret, wholeNumber } from "./env-values.ts";

export const schema = z.object({
  /** Folder of the embedded database, the secrets and the demonstration's access data. */
  DATA_DIR: z.string().min(1, "must name a folder").default(".data"),
  /**
   * Your own PostgreSQL: 15 or later (tested with 18), with `btree_gist` and `pg_trgm`. Its role must own the
   * database and need not be superuser.
   */
  DATABASE_URL: postgresUrl.optional(),
  /**
   * PgBouncer in transaction mode, or a similar pooler, in front of the database of `DATABASE_URL`: requests use it; the
   * worker, leases and migrations do not.
   */
  DATABASE_POOLER_URL: postgresUrl.optional(),
  /**
   * Streaming replica of the database. Lists, exports and the overview read there what is already on it, else on the
   * primary.
   */
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  /** Maximum number of connections in the pool of a process. Requests of one reseller use at most half of them. */
  DATABASE_POOL_SIZE: integer(1, 1_000, 10),
  /** Address to listen on; `0.0.0.0` for all. */
  HOST: z.string().min(1, "must be an address").default("127.0.0.1"),
  /** `off`: the first start creates no demonstration. It needs a `HOST` on this machine in any case. */
  DEMO: onOff.default("on"),
  /** Port to listen on; 0 picks a free one. */
  PORT: integer(0, 65_535, 3_000),
  /** CIDRs, comma-separated, of proxies whose `X-Forwarded-For` is trusted. */
  TRUSTED_PROXIES: cidrs(),
  /** Hashes API keys; at least 32 characters, the same on all instances. Default: `secrets.json`. */
  API_KEY_PEPPER: secret,
  /** Signs dashboard sessions; at least 32 characters, the same on all instances. Default: `secrets.json`. */
  NEXTAUTH_SECRET: secret,
  /**
   * 32 bytes in base64, the same on all instances; encrypts provider credentials, chat addresses, webhook, signing
   * and authenticator secrets. Default: `secrets.json`.
   */
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, "must be 32 bytes in base64")
    .optional(),
  /** Public URL of the dashboard. Default: the address listened on. */
  NEXTAUTH_URL: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
  /**
   * The deployment of this instance, as `deployment show` prints it. Required on further instances that do not share
   * `DATA_DIR`. Default: `deployment.json`.
   */
  DEPLOYMENT_ID: z.uuid("must be a UUID").optional(),
  /**
   * Folder for daily [backups](backups.md), made by the worker. [Under systemd](../operating.md#one-server) the service
   * writes only into folders that its unit names.
   */
  BACKUP_DIR: z.string().min(1, "must name a folder").optional(),
  /**
   * Folder for [point-in-time recovery](backups.md#point-in-time-for-the-embedded-database) of the embedded database. It is
   * not encrypted. [Under systemd](../operating.md#one-server) the service writes only into folders that its unit names.
   */
  ARCHIVE_DIR: z.string().min(1, "must name a folder").optional(),
  /** The hour in UTC after which a day's backup is made. */
  BACKUP_HOUR: integer(0, 23, 2),
  /** Encrypts backups; at least 12 characters. */
  BACKUP_PASSPHRASE: z.string().min(12, "must have at least 12 characters").optional(),
  /**
   * `on`: nothing is changed, renewed or sent, except that a start applies missing migrations. A copied database starts in
   * safe mode regardless.
   */
  SAFE_MODE: onOff.default("off"),
  /** `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. */
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be one of fatal, error, warn, info, debug, trace, silent",
    })
    .default("info"),
  /** 1: logs every database statement with its duration, without its values. */
  LOG_QUERIES: flag,
  /** Logs database statements that take at least this many milliseconds, without their values. */
  SLOW_QUERY_MS: integer(1, 600_000, 500),
  /** `on`: logs every request; `off`: only those to the API without a valid key. */
  ACCESS_LOG: onOff.default("off"),
  /**
   * At least 32 characters: other machines may read `/metrics` with it as a bearer token. Without it, only this machine
   * may.
   */
  METRICS_TOKEN: secret,
  /**
   * After SIGTERM, how long the server continues to accept requests while `/readyz` answers 503: as long as your load
   * balancer takes to notice.
   */
  SHUTDOWN_DELAY_MS: integer(0, 10_000, 0),
  /** Where traces are sent by OTLP over HTTP, such as `http://127.0.0.1:4318`. Without it, there are none. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
  /** Share of the requests that are traced, from 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(?:0|1|0?\.\d{1,6}|1\.0+)$/, "must be a number from 0 to 1")
    .transform(Number)
    .default(1),
  /** `off`: `GET /diagnostics` without a selector answers 404 instead of describing this host. */
  DIAGNOSTICS_LIVE: onOff.default("on"),
  /**
   * What this instance does: `on` answers requests and runs the background worker, `off` only answers requests, `only`
   * runs the worker and answers probes.
   */
  WORKER: z.enum(["on", "off", "only"], { error: "must be on, off or only" }).default("on"),
  /**
   * Number of processes that answer requests on the port, besides one for the background worker. Without it, one
   * process does everything.
   */
  WEB_CONCURRENCY: wholeNumber(1, 128).optional(),
  /**
   * Redis that counts requests over all instances (`redis://…` or `rediss://…`). Without it, or while it is away, each
   * instance counts for itself.
   */
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: "must be a redis or rediss address", abort: true }).optional(),
  /** How long an outcome stays unknown before it becomes a case. */
  RECONCILE_INBOX_AFTER_MINUTES: integer(1, 100_000, 60),
  /** 1: webhooks may use plain `http`. */
  WEBHOOK_ALLOW_HTTP: flag,
  /** Private networks, comma-separated, that webhooks may reach: for anyone who can create endpoints. */
  WEBHOOK_ALLOW_CIDRS: cidrs(),
  /**
   * Concurrent webhooks to one address (IPv4, or IPv6 /64), over all resellers and instances. Failing endpoints get
   * half.
   */
  WEBHOOK_HOST_CONCURRENCY: integer(1, 1_000, DEFAULT_TARGET_LIMITS.concurrency),
  /** Webhooks a second to one address, likewise. */
  WEBHOOK_HOST_RATE: integer(1, 100_000, DEFAULT_TARGET_LIMITS.perSecond),
  /** Challenges an hour to one address from unverified endpoints, likewise. */
  WEBHOOK_HOST_CHALLENGES: integer(1, 100_000, DEFAULT_TARGET_LIMITS.challengesPerHour),
  /** Telegram's Bot API for chats; another one must be within the networks that webhooks may reach. */
  TELEGRAM_API_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https address", abort: true })
    .transform((url) => url.replace(/\/+$/, ""))
    .default(TELEGRAM_API_URL),
  /**
   * Mail server, such as `smtp://user:password@mail.example.com:587` or `smtps://…`; special characters as in URLs
   * (`%40` for `@`).
   */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be an smtp or smtps address", abort: true }).optional(),
  /** Sender of messages, such as `License Desk <desk@example.com>`; required with `SMTP_URL`. */
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      "must be an address, such as Desk <desk@example.com>",
    )
    .optional(),
  /**
   * OpenID Connect issuer where users may sign in: https, or http on this machine, exactly as it names itself. Needs
   * `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`.
   */
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, { error: "must be an https address without a query", abort: true })
    .optional(),
  /** This License Desk at the issuer. */
  OIDC_CLIENT_ID: z.string().optional(),
  /** Its secret at the issuer. */
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** The button is "Continue with" this name. */
  OIDC_NAME: z.string().max(40, "must have at most 40 characters").default("single sign-on"),
  /** What users of an email domain are: `example.com=admin:support,partner.example=reseller:12:viewer`. */
  OIDC_ROLES: z
    .string()
    .default("")
    .transform((text, ctx) => {
      const roles = text === "" ? new Map<never, never>() : parseIssuerRoles(text);
      if (roles !== null) return roles;
      ctx.addIssue({
        code: "custom",
        message: "must be a list such as example.com=admin:support,example.org=reseller:12:viewer",
      });
      return z.NEVER;
    }),
  /** `on`: signing in at the issuer creates users of the domains in `OIDC_ROLES`. */
  OIDC_CREATE_USERS: onOff.default("off"),
  /** How long a provider may take for one request before its outcome is unknown. */
  PROVIDER_TIMEOUT_MS: integer(1, 600_000, 5_000),
  /** 1: providers may have plain `http` addresses, which expose your key there. */
  PROVIDER_ALLOW_HTTP: flag,
  /** Idle limit of a dashboard session, in minutes. */
  SESSION_IDLE_MINUTES: integer(5, 10_080, 720),
  /** Absolute limit of a dashboard session, in hours. */
  SESSION_MAX_HOURS: integer(1, 8_760, 168),
  /** How long a client may read nothing of a waiting answer. */
  SEND_TIMEOUT_MS: integer(1_000, 3_600_000, 120_000),
  /** How long a request may take to arrive; its headers at most 15 s. */
  RECEIVE_TIMEOUT_MS: integer(1_000, 3_600_000, 30_000),
  /** Open connections of a process. At the limit, idle ones are closed for new ones. */
  MAX_CONNECTIONS: integer(10, 100_000, 4_096),
  /** Open connections of one IPv4 address or IPv6 /64 to a process; `TRUSTED_PROXIES` are exempt. */
  MAX_CONNECTIONS_PER_SOURCE: integer(1, 100_000, 256),
});

/** Variables that need another one. */
const needed = [
  ["DATABASE_POOLER_URL", "DATABASE_URL"],
  ["DATABASE_REPLICA_URL", "DATABASE_URL"],
  ["SMTP_URL", "MAIL_FROM"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
  ["OIDC_ISSUER", "OIDC_CLIENT_SECRET"],
] as const;

const checkedSchema = schema.superRefine((env, ctx) => {
  for (const [name, other] of needed) {
    if (env[name] === undefined || env[other] !== undefined) continue;
    ctx.addIssue({ code: "custom", path: [other], message: `must be set with ${name}` });
  }
  if (env.WEB_CONCURRENCY !== undefined && env.WORKER === "only") {
    ctx.addIssue({ code: "custom", path: ["WEB_CONCURRENCY"], message: "cannot be set with WORKER=only" });
  }
  if (env.OIDC_CREATE_USERS === "on" && env.OIDC_ROLES.size === 0) {
    ctx.addIssue({ code: "custom", path: ["OIDC_ROLES"], message: "must be set with OIDC_CREATE_USERS" });
  }
});

export { installationRoot } from "./installation-root.ts";
export type Env = z.infer<typeof schema>;

/** Invalid variables; the message has a line for each. */
class EnvironmentError extends Error {}

/**
 * Parses the environment. An empty variable counts as absent.
 * @throws EnvironmentError naming each invalid variable without its value, which may be a secret
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = checkedSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = new Set(parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}.`));
  throw new EnvironmentError([...lines].join("\n"));
}

/** The secrets that the environment sets. DATA_DIR has the others. */
export function secretsOf({ API_KEY_PEPPER, NEXTAUTH_SECRET, ENCRYPTION_KEY }: Env) {
  return { apiKeyPepper: API_KEY_PEPPER, authSecret: NEXTAUTH_SECRET, encryptionKey: ENCRYPTION_KEY };
}

/** Where the dashboard is, e.g. `https://desk.example.com`. */
export function publicOriginOf({ NEXTAUTH_URL = "http://localhost:3000" }: Env): string {
  return new URL(NEXTAUTH_URL).origin;
}
