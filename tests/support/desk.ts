/** A License Desk with its own database, whose API runs in a process that can be killed and restarted. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { memoryLimiters } from "#lib/adapters/limiter-memory.ts";
import { createDispatchProvider } from "#lib/adapters/provider-dispatch.ts";
import { createSandboxProvider } from "#lib/adapters/provider-sandbox.ts";
import { type Database, openDatabase } from "#lib/db/connection/client.ts";
import { openSandboxBooks } from "#lib/db/provider/sandbox.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { signRequest } from "#lib/domain/request-signature.ts";
import { scopes as allScopes, type Scope } from "#lib/domain/scopes.ts";
import { parseSealingKey } from "#lib/domain/sealed-secret.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { createProviderRegistry } from "#lib/services/provider/registry.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { createTestProvider } from "#lib/test-provider.ts";
import { compiledCode } from "#tests/compiled-code.ts";
import { createTestDatabase } from "#tests/database.ts";
import { createTestProcess } from "./process.ts";
import { PEPPER } from "./world.ts";

const ENCRYPTION_KEY = Buffer.alloc(32, 9).toString("base64");
const FAR_AHEAD_MS = 3_600_000;

export interface Account {
  readonly resellerId: ResellerId;
  readonly apiKey: string;
  readonly signingSecret: string | null;
}

export interface Call {
  readonly method?: "GET" | "POST";
  /** Path and query below `/api/v1/`. */
  readonly target: string;
  readonly fields?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the content of responses
  readonly body: any;
}

export interface Desk {
  readonly db: Database;
  /** The running process's, ending in `/api/v1/`. */
  readonly baseUrl: string;
  /** The operator in the test's process; `laterMs` sets its clock ahead, so that leases have lapsed. */
  operator(laterMs?: number): ServiceContext;
  account(options?: {
    readonly funds?: string;
    readonly scopes?: readonly Scope[];
    readonly signing?: "optional" | "required";
  }): Promise<Account>;
  call(account: Account, call: Call): Promise<Reply>;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** The output of all of its processes. */
  output(): string;
  close(): Promise<void>;
}

export const LATER_MS = FAR_AHEAD_MS;

export async function newDesk(options: {
  readonly timeoutMs: number;
  /** More variables of its processes. */
  readonly env?: Readonly<Record<string, string>>;
}): Promise<Desk> {
  const database = await createTestDatabase();
  const db = openDatabase({ url: database.url, poolSize: 4, applicationName: "license-desk tests" });
  const sealingKey = parseSealingKey(ENCRYPTION_KEY);
  const { timeoutMs } = options;
  const providers = createProviderRegistry(db, sealingKey, {
    sandbox: () => createSandboxProvider({ books: openSandboxBooks(db), timeoutMs }),
    test: () => createTestProvider(db, timeoutMs),
    dispatch: (access) => createDispatchProvider({ ...access, timeoutMs, now: () => new Date() }),
  });
  const operatorsProcess = createTestProcess(db);
  let child: ChildProcess | null = null;
  let port = 0;
  let output = "";
  let resellers = 0;

  const desk: Desk = {
    db,
    get baseUrl() {
      return `http://127.0.0.1:${port}/api/v1/`;
    },
    operator: (laterMs = 0) => ({
      db,
      actor: { kind: "system", name: "test" },
      address: null,
      sessionId: null,
      requestId: "req_test",
      now: () => new Date(Date.now() + laterMs),
      leases: operatorsProcess.leases,
      randomBytes: (count) => randomBytes(count),
      providers,
      hostProbe: {
        read: () => Promise.reject(new Error("not in this test")),
        readState: async () => ({ disks: [], silentFolders: [], clockOffsetMs: 0 }),
      },
      mailLimiter: memoryLimiters.limiter({ name: "mails", windowMs: 3_600_000, maxTracked: 100 }),
      hostResolver: { resolve: () => Promise.reject(new Error("not in this test")) },
      settings: {
        apiKeyPepper: PEPPER,
        sealingKey,
        inboxAfterMs: FAR_AHEAD_MS,
        liveDiagnostics: false,
        allowHttpProviders: true,
      },
      claim: null,
    }),
    async account({ funds = "1000", scopes = allScopes, signing } = {}) {
      resellers += 1;
      const { resellerId } = await createReseller(desk.operator(), {
        name: `Reseller ${resellers}`,
        email: `reseller${resellers}@example.com`,
        currency: "USD",
      });
      await topUpWallet(desk.operator(), { resellerId, amount: funds, note: "funds" });
      const made = await createResellerApiKey(desk.operator(), {
        resellerId,
        name: "key",
        scopes,
        rateLimitPerMinute: 100_000,
        ...(signing ? { signing } : {}),
      });
      return { resellerId, apiKey: made.apiKey, signingSecret: made.signingSecret };
    },
    async call({ apiKey, signingSecret }, { method = "POST", target, fields, headers }) {
      const url = new URL(target, desk.baseUrl);
      const texts = Object.entries(fields ?? {}).map(([name, value]) => [name, String(value)]);
      const body = method === "GET" ? null : new URLSearchParams(texts).toString();
      const signed = { method, target: url.pathname + url.search, body: body ?? "" };
      const response = await fetch(url, {
        method,
        headers: {
          "x-api-key": apiKey,
          authorization: `Bearer ${apiKey}`,
          ...(body === null ? {} : { "content-type": "application/x-www-form-urlencoded" }),
          ...(signingSecret
            ? {
                "x-signature": signRequest(
                  signingSecret,
                  signed,
                  Math.floor(Date.now() / 1000),
                  randomBytes(6).toString("hex"),
                ),
              }
            : {}),
          ...headers,
        },
        body,
      });
      return { status: response.status, body: await response.json() };
    },
    async start() {
      const script = join(import.meta.dirname, "desk-process.ts");
      const started = spawn(process.execPath, [script], {
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          ...compiledCode,
          PATH: process.env.PATH,
          NODE_ENV: "production",
          DATABASE_URL: database.url,
          DATABASE_POOL_SIZE: "4",
          API_KEY_PEPPER: PEPPER,
          ENCRYPTION_KEY,
          PROVIDER_TIMEOUT_MS: String(timeoutMs),
          LOG_LEVEL: "trace",
          PORT: String(port),
          ...options.env,
        } as NodeJS.ProcessEnv,
      });
      child = started;
      started.stderr.on("data", (chunk) => {
        output += chunk;
      });
      const ready = Promise.withResolvers<void>();
      started.stdout.on("data", (chunk) => {
        output += chunk;
        port = Number(/"port":(\d+)/.exec(output.slice(output.lastIndexOf('{"port"')))?.[1] ?? port);
        ready.resolve();
      });
      started.once("exit", () => ready.reject(new Error(`the desk ended at once: ${output}`)));
      await ready.promise;
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
    output: () => output,
    async close() {
      await desk.kill();
      await providers.close();
      await db.close();
      await database.drop();
    },
  };
  return desk;
}
