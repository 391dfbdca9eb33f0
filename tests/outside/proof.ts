/**
 * Two instances of License Desk, a provider and customers that share no code with it, and what goes wrong in between.
 * At the end an accountant, who shares none either, compares the books of all three.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { type DatabaseProxy, startDatabaseProxy } from "#tests/faults/database-proxy.ts";
import { createPostgres, type PostgresServer } from "./cluster.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");
const here = import.meta.dirname;
const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const START_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const SETTLE_TIMEOUT_MS = 180_000;
const SETTLE_POLL_MS = 2_000;

/** What can happen while customers order; each is done and undone in turn until they have finished. */
export type Disturbance = "kill" | "pause" | "skew" | "restart_database" | "crash_database" | "failover";

export interface ProofOptions {
  readonly orders: number;
  readonly customers: number;
  readonly seed: number;
  /** The share of the provider's first answers that are refusals, losses, delays or nonsense. */
  readonly providerFaults: number;
  readonly disturbances: readonly Disturbance[];
  readonly log?: (line: string) => void;
}

/** The accountant's answer; see accountant.py. */
export interface ProofReport {
  readonly orders: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly differences: number;
  readonly unexplained: number;
  readonly examples: readonly { readonly about: string; readonly what: string }[];
  readonly walletVerify: string;
  readonly disturbances: Readonly<Partial<Record<Disturbance, number>>>;
}

/** Whether what the proof needs beside npm's packages is here. */
export async function missingPrograms(disturbances: readonly Disturbance[]): Promise<string[]> {
  const missing: string[] = [];
  await run("python3", ["--version"]).catch(() => missing.push("python3"));
  if (disturbances.includes("skew") && !existsSync(FAKETIME)) missing.push("libfaketime (Debian: faketime)");
  return missing;
}

interface Instance {
  readonly url: string;
  start(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** Moves its clock away from everybody else's, in seconds. */
  skew(seconds: number): void;
}

class Proof {
  readonly dir = mkdtempSync(join(tmpdir(), "license-desk-proof-"));
  readonly processes = new Set<ChildProcess>();
  readonly environment: Record<string, string> = {
    API_KEY_PEPPER: randomBytes(32).toString("base64url"),
    NEXTAUTH_SECRET: randomBytes(32).toString("base64url"),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    DATA_DIR: join(this.dir, "data"),
    PROVIDER_TIMEOUT_MS: "3000",
    PROVIDER_ALLOW_HTTP: "1",
    LOG_LEVEL: "warn",
    NODE_ENV: "production",
    PATH: String(process.env.PATH),
  };
  readonly log: (line: string) => void;
  postgres!: PostgresServer;
  standby: PostgresServer | null = null;
  proxy!: DatabaseProxy;

  readonly options: ProofOptions;

  constructor(options: ProofOptions) {
    this.options = options;
    this.log = options.log ?? (() => undefined);
  }

  file(name: string): string {
    return join(this.dir, name);
  }

  async startDatabase(): Promise<void> {
    const primaryDir = this.file("primary");
    mkdirSync(primaryDir);
    this.postgres = await createPostgres(primaryDir);
    await this.postgres.start();
    const admin = new URL(this.postgres.url);
    admin.pathname = "/postgres";
    const client = new pg.Client({ connectionString: admin.href });
    await client.connect();
    await client.query("create database license_desk");
    await client.end();
    if (this.options.disturbances.includes("failover")) {
      await this.postgres.stop("fast");
      mkdirSync(this.file("standby"));
      this.standby = await this.postgres.copyAsStandby(this.file("standby"));
      await this.postgres.start();
      await this.standby.start();
      await this.postgres.setSynchronous(true);
    }
    this.proxy = await startDatabaseProxy(this.postgres.url);
    this.environment.DATABASE_URL = this.proxy.url;
    const { applyMigrations } = await import("#lib/db/migrate.ts");
    await applyMigrations({ databaseUrl: this.postgres.url, migrationsDir: join(root, "prisma", "migrations") });
  }

  async admin(...args: string[]): Promise<string> {
    const { stdout } = await run(process.execPath, [join(root, "scripts", "admin.ts"), ...args], {
      env: this.environment as NodeJS.ProcessEnv,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  }

  spawn(command: string, args: readonly string[], env: Record<string, string>, name: string): ChildProcess {
    const errors = openSync(this.file(`${name}.log`), "a");
    const child = spawn(command, args, {
      cwd: root,
      env: env as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", errors, "ipc"],
    });
    this.processes.add(child);
    child.once("exit", () => this.processes.delete(child));
    return child;
  }

  async startProvider(): Promise<string> {
    const { seed, providerFaults } = this.options;
    const args = [join(here, "provider.py"), "--journal", this.file("provider.jsonl")];
    const tuning = ["--seed", String(seed), "--faults", String(providerFaults)];
    const child = this.spawn("python3", [...args, ...tuning], { PATH: String(process.env.PATH) }, "provider");
    return `http://127.0.0.1:${await firstLine(child)}`;
  }

  async createInstance(name: string): Promise<Instance> {
    const port = await findFreePort();
    const clock = this.file(`${name}.clock`);
    const skewable = this.options.disturbances.includes("skew");
    writeFileSync(clock, "+0s");
    const faketime = {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
    const env = { ...this.environment, API_PORT: String(port), ...(skewable ? faketime : {}) };
    let child: ChildProcess | null = null;
    const instance: Instance = {
      url: `http://127.0.0.1:${port}`,
      start: async () => {
        for (const deadline = Date.now() + START_TIMEOUT_MS; ; await sleep(500)) {
          child = this.spawn(process.execPath, [join(root, "tests", "faults", "api-server.ts")], env, name);
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
    return instance;
  }

  async setUpCatalog(providerUrl: string): Promise<void> {
    await this.admin(
      "provider",
      "create",
      "--name",
      "outside",
      "--base-url",
      `${providerUrl}/api/v1/`,
      "--api-key",
      "outside-key",
    );
    await this.admin("provider", "import", "--name", "outside", "--percent", "25");
  }

  async openAccounts(count: number): Promise<number[]> {
    const accounts = [];
    for (let number = 1; number <= count; number++) {
      const identity = [
        "--name",
        `Reseller ${number}`,
        "--email",
        `reseller${number}@example.com`,
        "--currency",
        "USD",
      ];
      const { reseller_id } = JSON.parse(await this.admin("reseller", "create", ...identity));
      await this.admin("wallet", "top-up", "--reseller", String(reseller_id), "--amount", "5000000", "--note", "funds");
      const scopes = "licenses:read,licenses:write,wallet:read,catalog:read";
      const key = [
        "--reseller",
        String(reseller_id),
        "--name",
        "outside",
        "--scopes",
        scopes,
        "--rate-limit",
        "1000000",
      ];
      const { api_key } = JSON.parse(await this.admin("api-key", "create", ...key));
      accounts.push({ reseller_id, api_key });
    }
    writeFileSync(this.file("accounts.json"), JSON.stringify(accounts));
    return accounts.map(({ reseller_id }) => reseller_id);
  }

  async describeProducts(url: string): Promise<void> {
    const accounts = JSON.parse(readFileSync(this.file("accounts.json"), "utf8"));
    const headers = { "x-api-key": accounts[0].api_key };
    const response = await fetch(`${url}/api/v1/?endpoint=products`, { headers });
    const { data } = (await response.json()) as {
      data: { products: { product_id: number; core_metered: boolean; cycles: { cycle_id: number }[] }[] };
    };
    const pick = (metered: boolean) => {
      const product = data.products.find(({ core_metered }) => core_metered === metered);
      return [product?.product_id, product?.cycles.map(({ cycle_id }) => cycle_id)];
    };
    const products = { plain: pick(false), metered: pick(true) };
    writeFileSync(
      this.file("accounts.json"),
      JSON.stringify(accounts.map((account: object) => ({ ...account, products }))),
    );
  }

  async close(): Promise<void> {
    for (const child of this.processes) child.kill("SIGKILL");
    await this.proxy?.close();
    await this.standby?.close();
    await this.postgres?.close();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Whether an instance said that it listens before it ended. */
async function isReady(child: ChildProcess): Promise<boolean> {
  const answers = await Promise.race([once(child, "message"), once(child, "exit").then(() => null)]);
  child.stdout?.resume();
  return answers !== null;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("no output to read");
  const lines = createInterface({ input: child.stdout });
  const exited = once(child, "exit").then(() => Promise.reject(new Error("it ended before it was ready")));
  exited.catch(() => undefined);
  const [line] = await Promise.race([once(lines, "line"), exited]);
  return String(line);
}

/** Seconds of a skewed clock, as an operator's mistakes and a virtual machine's have them. */
const SKEWS = [30, -30, 120, -120, 86_400, -86_400];

async function disturb(
  proof: Proof,
  instances: readonly [Instance, Instance],
  done: () => boolean,
): Promise<Partial<Record<Disturbance, number>>> {
  const { disturbances, log = () => undefined } = proof.options;
  const counts: Partial<Record<Disturbance, number>> = {};
  for (let round = 0; !done() && disturbances.length > 0; round++) {
    const disturbance = disturbances[round % disturbances.length] as Disturbance;
    const victim = instances[round % 2] as Instance;
    if (disturbance === "failover" && counts.failover) continue;
    log(`${disturbance} (${round + 1})`);
    counts[disturbance] = (counts[disturbance] ?? 0) + 1;
    await sleep(3_000);
    switch (disturbance) {
      case "kill":
        await victim.kill();
        await sleep(6_000);
        await victim.start();
        break;
      case "pause":
        victim.signal("SIGSTOP");
        await sleep(round % 4 === 1 ? 70_000 : 9_000);
        victim.signal("SIGCONT");
        break;
      case "skew":
        victim.skew(SKEWS[round % SKEWS.length] as number);
        await sleep(20_000);
        victim.skew(0);
        break;
      case "restart_database":
      case "crash_database":
        await proof.postgres.stop(disturbance === "crash_database" ? "immediate" : "fast");
        await sleep(2_000);
        await proof.postgres.start();
        break;
      case "failover": {
        await proof.postgres.stop("immediate");
        const { standby } = proof;
        if (!standby) throw new Error("there is no standby");
        await standby.promote();
        await standby.setSynchronous(false);
        proof.proxy.pointTo(standby.url);
        break;
      }
      default:
        disturbance satisfies never;
    }
  }
  return counts;
}

/** Waits until nothing is open any more, as an operator would before closing the books. */
async function settle(proof: Proof): Promise<void> {
  for (const deadline = Date.now() + SETTLE_TIMEOUT_MS; Date.now() < deadline; await sleep(SETTLE_POLL_MS)) {
    const { still_open } = JSON.parse(await proof.admin("reconcile"));
    if (still_open === 0) return;
  }
}

async function readCases(proof: Proof): Promise<unknown[]> {
  const cases: unknown[] = [];
  for (let before: string[] = []; ; ) {
    const page = JSON.parse(await proof.admin("reconciliation", "list", ...before));
    cases.push(...page.cases);
    if (page.next_before === null) return cases;
    before = ["--before", String(page.next_before)];
  }
}

/** Runs it all and returns the accountant's report. Everything is cleared away, also after a failure. */
export async function prove(options: ProofOptions): Promise<ProofReport> {
  const proof = new Proof(options);
  try {
    await proof.startDatabase();
    const providerUrl = await proof.startProvider();
    await proof.setUpCatalog(providerUrl);
    const resellers = await proof.openAccounts(4);
    const instances = [await proof.createInstance("first"), await proof.createInstance("second")] as const;
    await Promise.all(instances.map((instance) => instance.start()));
    await proof.describeProducts(instances[0].url);
    writeFileSync(proof.file("instances"), instances.map(({ url }) => url).join("\n"));

    const shopping = run(
      "python3",
      [
        join(here, "customers.py"),
        ...["--instances", proof.file("instances"), "--accounts", proof.file("accounts.json")],
        ...["--orders", String(options.orders), "--threads", String(options.customers)],
        ...["--journal", proof.file("orders.jsonl"), "--seed", String(options.seed)],
      ],
      { maxBuffer: MAX_OUTPUT_BYTES },
    );
    let finished = false;
    const customers = shopping.finally(() => {
      finished = true;
    });
    const disturbances = await disturb(proof, instances, () => finished);
    proof.log(`customers: ${(await customers).stdout.trim()}`);

    await settle(proof);
    await proof.admin("reconciliation", "compare", "--provider", "outside");
    const walletVerify = (await proof.admin("wallet", "verify")).trim();
    writeFileSync(proof.file("cases.json"), JSON.stringify({ cases: await readCases(proof) }));
    const books = await fetch(`${providerUrl}/books`);
    writeFileSync(proof.file("books.json"), await books.text());
    mkdirSync(proof.file("statements"));
    for (const reseller of resellers) {
      const period = ["--from", "2020-01-01", "--to", "2099-01-01"];
      const csv = await proof.admin("wallet", "statement", "--reseller", String(reseller), ...period);
      writeFileSync(join(proof.file("statements"), `${reseller}.csv`), csv);
    }
    const audit = await run(
      "python3",
      [
        join(here, "accountant.py"),
        ...["--instance", instances[0].url, "--accounts", proof.file("accounts.json")],
        ...["--orders", proof.file("orders.jsonl"), "--statements", proof.file("statements")],
        ...["--provider-journal", proof.file("provider.jsonl"), "--provider-books", proof.file("books.json")],
        ...["--cases", proof.file("cases.json"), "--replay"],
      ],
      { maxBuffer: MAX_OUTPUT_BYTES },
    ).catch((failed: { stdout?: string; stderr?: string }) => {
      if (!failed.stdout) throw new Error(`the accountant failed:\n${failed.stderr}`);
      return { stdout: failed.stdout };
    });
    return { ...JSON.parse(audit.stdout), walletVerify, disturbances };
  } finally {
    if (process.env.KEEP_PROOF) proof.log(`kept: ${proof.dir}`);
    else await proof.close();
    for (const child of proof.processes) child.kill("SIGKILL");
  }
}
