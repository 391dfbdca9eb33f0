/** Environment variables, parsed once. */
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { parseIssuerRoles } from "#lib/domain/issuer-roles.ts";
import { isLoopback } from "#lib/domain/loopback.ts";
import { DEFAULT_TARGET_LIMITS } from "#lib/domain/webhook-limits.ts";
import { TELEGRAM_API_URL } from "./domain/webhook-format.ts";

function isCidr(text: string): boolean {
  try {
    ipaddr.parseCIDR(text);
    return true;
  } catch {
    return false;
  }
}

function integer(min: number, max: number, fallback: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .default(fallback);
}

function cidrs() {
  return z
    .string()
    .default("")
    .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ""))
    .refine((list) => list.every(isCidr), "must be a comma-separated list of CIDRs, such as 10.0.0.0/8");
}

/** A token names its issuer by this text. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, search, hash } = new URL(text);
  return (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) && username + search + hash === "";
}

const secret = z.string().min(32, "must have at least 32 characters").optional();

const schema = z.object({
  /** Folder of the embedded database, the secrets and the demonstration's credentials. */
  DATA_DIR: z.string().min(1, "must name a folder").default(".data"),
  /** External PostgreSQL; without it, an embedded one runs in DATA_DIR. */
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/./, "must start with postgresql://")
    .optional(),
  /** Maximum number of connections of this instance. */
  DATABASE_POOL_SIZE: integer(1, 1_000, 10),
  /** Address to listen on; 0.0.0.0 for all. */
  HOST: z.string().min(1, "must be an address").default("127.0.0.1"),
  /** Whether the first start of an embedded database seeds the demonstration; only with HOST on this machine. */
  DEMO: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  /** Port to listen on; 0 picks a free one. */
  PORT: integer(0, 65_535, 3_000),
  /** Proxies whose X-Forwarded-For is trusted: CIDRs, separated by commas (contract 1.6). */
  TRUSTED_PROXIES: cidrs(),
  /** Pepper of API key hashes; the same on all instances. */
  API_KEY_PEPPER: secret,
  /** Signs dashboard sessions; the same on all instances. */
  NEXTAUTH_SECRET: secret,
  /** Encrypts stored webhook and signing secrets; the same on all instances. */
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, "must be 32 bytes in base64")
    .optional(),
  /** Public address of the dashboard; by default the address listened on. */
  NEXTAUTH_URL: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
  /** Deployment of this instance, if it shares no DATA_DIR: `admin deployment show` prints it. */
  DEPLOYMENT_ID: z.uuid("must be a UUID").optional(),
  /** `on`: nothing is changed, renewed or sent. A copied database always starts this way. */
  SAFE_MODE: z.enum(["on", "off"], { error: "must be on or off" }).default("off"),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be one of fatal, error, warn, info, debug, trace, silent",
    })
    .default("info"),
  /** Logs every database statement with its duration and without its values. */
  LOG_QUERIES: z.enum(["0", "1"], { error: "must be 0 or 1" }).default("0"),
  /** Whether GET /diagnostics without a selector reports on the serving host (contract 2.5). */
  DIAGNOSTICS_LIVE: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  /** Whether this instance runs the background worker (lib/worker.ts). */
  WORKER: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  /** How long an outcome may stay unknown before it becomes a case. */
  RECONCILE_INBOX_AFTER_MINUTES: integer(1, 100_000, 60),
  /** Whether webhooks may use plain http (contract 4.4). */
  WEBHOOK_ALLOW_HTTP: z.enum(["0", "1"], { error: "must be 0 or 1" }).default("0"),
  /** Private networks that webhooks may reach: for tests and private clouds (contract 4.4). */
  WEBHOOK_ALLOW_CIDRS: cidrs(),
  /** Maximum concurrent webhooks per host, over all endpoints. */
  WEBHOOK_HOST_CONCURRENCY: integer(1, 1_000, DEFAULT_TARGET_LIMITS.concurrency),
  /** Maximum webhooks per second per host, over all endpoints. */
  WEBHOOK_HOST_RATE: integer(1, 100_000, DEFAULT_TARGET_LIMITS.perSecond),
  /** Maximum challenges per hour per host. */
  WEBHOOK_HOST_CHALLENGES: integer(1, 100_000, DEFAULT_TARGET_LIMITS.challengesPerHour),
  /** Telegram's Bot API, such as a server of your own. */
  TELEGRAM_API_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https address", abort: true })
    .transform((url) => url.replace(/\/+$/, ""))
    .default(TELEGRAM_API_URL),
  /** Mail server: smtp://user:password@host:587 or smtps://…; without it, messages stay in the outbox. */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be an smtp or smtps address", abort: true }).optional(),
  /** Sender of messages: an address, or `Name <address>`. */
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      "must be an address, such as Desk <desk@example.com>",
    )
    .optional(),
  /** OpenID Connect issuer where users may sign in: an https address, or http on this machine. */
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, { error: "must be an https address without a query", abort: true })
    .optional(),
  /** This License Desk at the issuer. */
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  /** The issuer, for people: "Continue with …". */
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
  /** Whether signing in at the issuer creates users of the domains in OIDC_ROLES. */
  OIDC_CREATE_USERS: z.enum(["on", "off"], { error: "must be on or off" }).default("off"),
  /** How long the provider may take per request before its outcome is unknown; a bundle has one request per member. */
  PROVIDER_TIMEOUT_MS: integer(1, 600_000, 5_000),
  /** Whether providers may have plain http addresses, which expose our key. */
  PROVIDER_ALLOW_HTTP: z.enum(["0", "1"], { error: "must be 0 or 1" }).default("0"),
  /** Minutes without activity after which a dashboard session ends. */
  SESSION_IDLE_MINUTES: integer(5, 10_080, 720),
  /** Hours after which a dashboard session ends regardless of activity. */
  SESSION_MAX_HOURS: integer(1, 8_760, 168),
  /** How long a connection may stall a waiting response before it is closed. */
  SEND_TIMEOUT_MS: integer(1_000, 3_600_000, 120_000),
  /** How long a request may take to arrive completely. */
  RECEIVE_TIMEOUT_MS: integer(1_000, 3_600_000, 30_000),
  /** Maximum open connections. */
  MAX_CONNECTIONS: integer(10, 100_000, 4_096),
  /** Maximum open connections per address or IPv6 /64; trusted proxies are exempt. */
  MAX_CONNECTIONS_PER_SOURCE: integer(1, 100_000, 256),
});

/** Variables that need another one. */
const needed = [
  ["SMTP_URL", "MAIL_FROM"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
  ["OIDC_ISSUER", "OIDC_CLIENT_SECRET"],
] as const;

const checkedSchema = schema.superRefine((env, ctx) => {
  for (const [name, other] of needed) {
    if (env[name] === undefined || env[other] !== undefined) continue;
    ctx.addIssue({ code: "custom", path: [other], message: `must be set with ${name}` });
  }
  if (env.OIDC_CREATE_USERS === "on" && env.OIDC_ROLES.size === 0) {
    ctx.addIssue({ code: "custom", path: ["OIDC_ROLES"], message: "must be set with OIDC_CREATE_USERS" });
  }
});

export type Env = z.infer<typeof schema>;

/** Invalid variables; the message has a line for each. */
class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}

/**
 * Parses the environment. An empty variable counts as absent.
 * @throws EnvironmentError naming each invalid variable without its value, which may be a secret
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = checkedSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}.`);
  throw new EnvironmentError([...new Set(lines)].join("\n"));
}

const DEVELOPMENT_URL = "http://localhost:3000";

/** Where the dashboard is, e.g. `https://desk.example.com`. */
export function publicOriginOf({ NEXTAUTH_URL = DEVELOPMENT_URL }: Env): string {
  return new URL(NEXTAUTH_URL).origin;
}
