/** The environment variables of License Desk, read and checked once. */
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { DEFAULT_TARGET_LIMITS } from "#lib/domain/webhook-limits.ts";

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

const secret = z.string().min(32, "must have at least 32 characters").optional();

const schema = z.object({
  /** Folder of the embedded database, the secrets and the demonstration's access data. */
  DATA_DIR: z.string().min(1, "must name a folder").default(".data"),
  /** A PostgreSQL of your own; without it License Desk brings one, in DATA_DIR. */
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/./, "must start with postgresql://")
    .optional(),
  /** Connections that this instance holds at most. */
  DATABASE_POOL_SIZE: integer(1, 1_000, 10),
  /** Address to listen on; 0.0.0.0 for all. */
  HOST: z.string().min(1, "must be an address").default("127.0.0.1"),
  /** Whether the first start of an embedded database makes the demonstration; only with HOST on this machine. */
  DEMO: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  /** Port to listen on; 0 picks a free one. */
  PORT: integer(0, 65_535, 3_000),
  /** Proxies whose X-Forwarded-For is believed: CIDRs, separated by commas (contract 1.6). */
  TRUSTED_PROXIES: cidrs(),
  /** Secret under which API keys are stored; every instance must have the same. */
  API_KEY_PEPPER: secret,
  /** Secret that signs dashboard sessions; every instance must have the same. */
  NEXTAUTH_SECRET: secret,
  /** Secret that encrypts stored webhook and signing secrets; every instance must have the same. */
  ENCRYPTION_KEY: z
    .string()
    .regex(/^[A-Za-z0-9+/]{43}=$/, "must be 32 bytes in base64")
    .optional(),
  /** The dashboard's public address; without it the address listened on. */
  NEXTAUTH_URL: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
  /** Which deployment this instance belongs to, for instances that share no DATA_DIR: `admin deployment show` prints it. */
  DEPLOYMENT_ID: z.uuid("must be a UUID").optional(),
  /** `on`: nothing is changed, renewed or sent. A copied database starts so whatever this says. */
  SAFE_MODE: z.enum(["on", "off"], { error: "must be on or off" }).default("off"),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be one of fatal, error, warn, info, debug, trace, silent",
    })
    .default("info"),
  /** Whether every database statement is logged, with its duration and without its values. */
  LOG_QUERIES: z.enum(["0", "1"], { error: "must be 0 or 1" }).default("0"),
  /** Whether GET /diagnostics without a selector reads the answering host (contract 2.5). */
  DIAGNOSTICS_LIVE: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  /** Whether this instance also works in the background: reconciliation, renewals, notices (lib/worker.ts). */
  WORKER: z.enum(["on", "off"], { error: "must be on or off" }).default("on"),
  /** How long an outcome may stay unknown before it comes to the admins' reconciliation inbox. */
  RECONCILE_INBOX_AFTER_MINUTES: integer(1, 100_000, 60),
  /** Whether webhooks may go to plain http, too (contract 4.4). */
  WEBHOOK_ALLOW_HTTP: z.enum(["0", "1"], { error: "must be 0 or 1" }).default("0"),
  /** Networks that webhooks may go to although they are not public: for tests and private networks (contract 4.4). */
  WEBHOOK_ALLOW_CIDRS: cidrs(),
  /** How many webhooks may be under way to one host at a time, over all endpoints. */
  WEBHOOK_HOST_CONCURRENCY: integer(1, 1_000, DEFAULT_TARGET_LIMITS.concurrency),
  /** How many webhooks one host is sent a second, over all endpoints. */
  WEBHOOK_HOST_RATE: integer(1, 100_000, DEFAULT_TARGET_LIMITS.perSecond),
  /** How many challenges of pending endpoints one host is sent an hour. */
  WEBHOOK_HOST_CHALLENGES: integer(1, 100_000, DEFAULT_TARGET_LIMITS.challengesPerHour),
  /** How long the provider may take over one request before its outcome counts as unknown; a bundle is one a member. */
  PROVIDER_TIMEOUT_MS: integer(1, 600_000, 5_000),
  /** Whether providers may have plain http addresses, over which our key there could be read. */
  PROVIDER_ALLOW_HTTP: z.enum(["0", "1"], { error: "must be 0 or 1" }).default("0"),
  /** A dashboard session ends after so many minutes without a page or an action. */
  SESSION_IDLE_MINUTES: integer(5, 10_080, 720),
  /** A dashboard session ends after so many hours, however much it is used. */
  SESSION_MAX_HOURS: integer(1, 8_760, 168),
  /** How long a connection may take no byte of a waiting answer before it is ended. */
  SEND_TIMEOUT_MS: integer(1_000, 3_600_000, 120_000),
  /** How long a request may take to arrive whole. */
  RECEIVE_TIMEOUT_MS: integer(1_000, 3_600_000, 30_000),
  /** Open connections at once, from everywhere. */
  MAX_CONNECTIONS: integer(10, 100_000, 4_096),
  /** Open connections at once from one address, or from one IPv6 /64; trusted proxies have no such limit. */
  MAX_CONNECTIONS_PER_SOURCE: integer(1, 100_000, 256),
});

export type Env = z.infer<typeof schema>;

/** One or more variables have values that cannot be used; the message has a line for each. */
class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}

/**
 * Reads the environment. An empty variable counts as absent.
 * @throws EnvironmentError naming each wrong variable, without its value, which may be a secret.
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}.`);
  throw new EnvironmentError([...new Set(lines)].join("\n"));
}
