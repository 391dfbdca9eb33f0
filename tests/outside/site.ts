/** The site of a proof: a folder, PostgreSQL with a standby, a provider, two instances, and accounts. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { readDeployment } from "#lib/db/deployment/deployment.ts";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { type DatabaseProxy, startDatabaseProxy } from "#tests/faults/database-proxy.ts";
import { firstLine, isReady } from "./children.ts";
import { createPostgres, type PostgresServer } from "./cluster.ts";

export const run = promisify(execFile);
export const here = import.meta.dirname;
export const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
export const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const root = join(here, "..", "..");
const START_TIMEOUT_MS = 60_000;
const FUNDS = 5_000_000;
const SCOPES = "licenses:read,licenses:write,wallet:read,catalog:read";

export interface Instance {
  readonly url: string;
  start(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** Skews its clock, in seconds. */
  skew(seconds: number): void;
}

export interface Standby {
  readonly postgres: PostgresServer;
  /** Proxies its replication from the primary. */
  readonly replication: DatabaseProxy;
}

export class Site {
  readonly dir = mkdtempSync(join(tmpdir(), "license-desk-proof-"));
  readonly #deploymentId = randomUUID();
  readonly #processes = new Set<ChildProcess>();
  readonly #environment: Record<string, string> = {
    API_KEY_PEPPER: randomBytes(32).toString("base64url"),
    NEXTAUTH_SECRET: randomBytes(32).toString("base64url"),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    DATA_DIR: join(this.dir, "data"),
    PROVIDER_TIMEOUT_MS: "3000",
    PROVIDER_ALLOW_HTTP: "1",
    LOG_LEVEL: "warn",
    NODE_ENV: "production",
    DEPLOYMENT_ID: this.#deploymentId,
    PATH: String(process.env.PATH),
  };
  postgres!: PostgresServer;
  standby: Standby | null = null;
  #proxy!: DatabaseProxy;

  file(name: string): string {
    return join(this.dir, name);
  }

  /** `standby`: whether there is one, and whether commits wait for it. */
  async startDatabase(standby: "none" | "synchronous" | "asynchronous"): Promise<void> {
    mkdirSync(this.file("primary"));
    this.postgres = await createPostgres(this.file("primary"));
    await this.postgres.start();
    const admin = new pg.Client({ connectionString: new URL("/postgres", this.postgres.url).href });
    await admin.connect();
    await admin.query("create database license_desk");
    await admin.end();
    if (standby !== "none") await this.#startStandby(standby === "synchronous");
    this.#proxy = await startDatabaseProxy(this.postgres.url);
    this.#environment.DATABASE_URL = this.#proxy.url;
    const { applyMigrations } = await import("#lib/db/schema/migrate.ts");
    await applyMigrations({ databaseUrl: this.postgres.url, migrationsDir: join(root, "prisma", "migrations") });
    const noSecrets = { API_KEY_PEPPER: "", NEXTAUTH_SECRET: "", ENCRYPTION_KEY: "" };
    await readDeployment(this.postgres.url, { deploymentId: this.#deploymentId, fingerprints: noSecrets });
  }

  async #startStandby(synchronous: boolean): Promise<void> {
    await this.postgres.stop("fast");
    mkdirSync(this.file("standby"));
    const replication = await startDatabaseProxy(this.postgres.url);
    const postgres = await this.postgres.copyAsStandby(this.file("standby"), replication.url);
    this.standby = { postgres, replication };
    await this.postgres.start();
    await postgres.start();
    if (synchronous) await this.postgres.setSynchronous(true);
  }

  async failOver(): Promise<void> {
    if (!this.standby) throw new Error("there is no standby");
    const { postgres, replication } = this.standby;
    await this.postgres.stop("immediate");
    await postgres.promote();
    await postgres.setSynchronous(false);
    this.#proxy.pointTo(postgres.url);
    await replication.close();
    await this.postgres.close();
    this.postgres = postgres;
    this.standby = null;
  }

  async admin(...args: string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [join(root, "scripts", "admin.ts"), ...args], {
      env: this.#environment as NodeJS.ProcessEnv,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  }

  #spawn(
    command: string,
    args: readonly string[],
    { env, name, stdout }: { env: Record<string, string>; name: string; stdout: "read" | "logged" },
  ): ChildProcess {
    const log = openSync(this.file(`${name}.log`), "a");
    const child = spawn(command, args, {
      cwd: root,
      env: env as NodeJS.ProcessEnv,
      stdio: ["ignore", stdout === "read" ? "pipe" : log, log, "ipc"],
    });
    this.#processes.add(child);
    child.once("exit", () => this.#processes.delete(child));
    return child;
  }

  /** Returns its base address. Its books: `provider.jsonl`, and `GET /books`. */
  async startProvider(seed: number, faults: number): Promise<string> {
    const args = [join(here, "provider.py"), "--journal", this.file("provider.jsonl")];
    const tuning = ["--seed", String(seed), "--faults", String(faults)];
    const child = this.#spawn("python3", [...args, ...tuning], {
      env: { PATH: String(process.env.PATH) },
      name: "provider",
      stdout: "read",
    });
    return `http://127.0.0.1:${await firstLine(child)}`;
  }

  async createInstance(name: string, skewable: boolean): Promise<Instance> {
    const port = await findFreePort();
    const clock = this.file(`${name}.clock`);
    writeFileSync(clock, "+0s");
    const faketime = {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
    const env = { ...this.#environment, API_PORT: String(port), ...(skewable ? faketime : {}) };
    let child: ChildProcess | null = null;
    return {
      url: `http://127.0.0.1:${port}`,
      start: async () => {
        for (const deadline = Date.now() + START_TIMEOUT_MS; ; await sleep(500)) {
          const server = join(root, "tests", "faults", "api-server.ts");
          child = this.#spawn(process.execPath, [server], { env, name, stdout: "logged" });
          if (await isReady(child)) return;
          if (Date.now() > deadline) throw new Error(`${name} did not start: see ${this.file(`${name}.log`)}`);
        }
      },
      signal: (signal) => void child?.kill(signal),
      async kill() {
        if (!child || child.exitCode !== null || child.signalCode !== null) return;
        const exited = once(child, "exit");
        child.kill("SIGKILL");
        await exited;
      },
      skew: (seconds) => writeFileSync(clock, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}s`),
    };
  }

  async setUpCatalog(providerUrl: string): Promise<void> {
    const keyFile = join(this.dir, "provider-key");
    writeFileSync(keyFile, "outside-key");
    const address = ["--base-url", `${providerUrl}/api/v1/`, "--api-key-file", keyFile];
    await this.admin("provider", "create", "--name", "outside", ...address);
    await this.admin("provider", "import", "--name", "outside", "--percent", "25");
  }

  /** Writes `accounts.json` and returns the resellers' ids. */
  async openAccounts(count: number, instanceUrl: string): Promise<number[]> {
    const accounts: { reseller_id: number; api_key: string }[] = [];
    for (let number = 1; number <= count; number++) {
      const identity = ["--name", `Reseller ${number}`, "--email", `reseller${number}@example.com`];
      const { reseller_id } = JSON.parse(await this.admin("reseller", "create", ...identity, "--currency", "USD"));
      const of = ["--reseller", String(reseller_id)];
      await this.admin("wallet", "top-up", ...of, "--amount", String(FUNDS), "--note", "funds");
      const rights = ["--name", "outside", "--scopes", SCOPES, "--rate-limit", "1000000"];
      const { api_key } = JSON.parse(await this.admin("api-key", "create", ...of, ...rights));
      accounts.push({ reseller_id, api_key });
    }
    const products = await readProducts(instanceUrl, String(accounts[0]?.api_key));
    writeFileSync(this.file("accounts.json"), JSON.stringify(accounts.map((account) => ({ ...account, products }))));
    return accounts.map(({ reseller_id }) => reseller_id);
  }

  countOrders(): number {
    try {
      return readFileSync(this.file("orders.jsonl"), "utf8").split("\n").length - 1;
    } catch {
      return 0;
    }
  }

  /** `keep`: keeps the folder and the database's files. */
  async close(keep: boolean): Promise<void> {
    for (const child of this.#processes) child.kill("SIGKILL");
    await this.#proxy?.close();
    await this.standby?.replication.close();
    for (const server of [this.standby?.postgres, this.postgres]) await server?.[keep ? "stop" : "close"]("fast");
    if (!keep) rmSync(this.dir, { recursive: true, force: true });
  }
}

interface ProductRow {
  readonly product_id: number;
  readonly core_metered: boolean;
  readonly cycles: readonly { readonly cycle_id: number }[];
}

async function readProducts(url: string, apiKey: string) {
  const response = await fetch(`${url}/api/v1/?endpoint=products`, { headers: { "x-api-key": apiKey } });
  const { data } = (await response.json()) as { data: { products: readonly ProductRow[] } };
  const pick = (metered: boolean) => {
    const product = data.products.find(({ core_metered }) => core_metered === metered);
    return [product?.product_id, product?.cycles.map(({ cycle_id }) => cycle_id)];
  };
  return { plain: pick(false), metered: pick(true) };
}
