/**
 * Two instances of License Desk, with a provider and customers that share no code with it, under failures. Finally an
 * accountant, who shares none either, compares the books of all three.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Disturbance, disturb } from "./disturbances.ts";
import { FAKETIME, here, MAX_OUTPUT_BYTES, run, Site } from "./site.ts";

const RESELLERS = 4;
/** A rejected request whose response was lost is given up after ten minutes. */
const SETTLE_TIMEOUT_MS = 720_000;
const SETTLE_POLL_MS = 2_000;

export interface ProofOptions {
  readonly orders: number;
  readonly customers: number;
  readonly seed: number;
  /** Share of the provider's responses that are rejections, losses, delays or nonsense. */
  readonly providerFaults: number;
  readonly disturbances: readonly Disturbance[];
  /** Keeps the folder for inspection. */
  readonly keep?: boolean;
  readonly log?: (line: string) => void;
}

/** The accountant's report; see accountant.py. */
export interface ProofReport {
  readonly orders: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly differences: number;
  readonly unexplained: number;
  readonly examples: readonly { readonly about: string; readonly what: string }[];
  readonly walletVerify: { readonly differences: readonly unknown[]; readonly lot_differences: readonly unknown[] };
  readonly disturbances: Readonly<Partial<Record<Disturbance, number>>>;
}

/** Required programs that are not installed. */
export async function missingPrograms(disturbances: readonly Disturbance[]): Promise<string[]> {
  const missing: string[] = [];
  await run("python3", ["--version"]).catch(() => missing.push("python3"));
  if (disturbances.includes("skew") && !existsSync(FAKETIME)) missing.push("libfaketime (Debian: faketime)");
  return missing;
}

/** Runs the proof and returns the accountant's report. Always cleans up. */
export async function prove(options: ProofOptions): Promise<ProofReport> {
  const { orders, seed, disturbances, log = () => undefined } = options;
  const site = new Site();
  try {
    await site.startDatabase(standbyFor(disturbances));
    const providerUrl = await site.startProvider(seed, options.providerFaults);
    await site.setUpCatalog(providerUrl);
    const skewable = disturbances.includes("skew");
    const instances = [
      await site.createInstance("first", skewable),
      await site.createInstance("second", skewable),
    ] as const;
    await Promise.all(instances.map((instance) => instance.start()));
    const resellers = await site.openAccounts(RESELLERS, instances[0].url);
    writeFileSync(site.file("instances"), instances.map(({ url }) => url).join("\n"));

    let isDone = false;
    const customers = shop(site, options).finally(() => {
      isDone = true;
    });
    const disturber = { site, instances, disturbances, orders, isDone: () => isDone, log };
    const [counts, tallies] = await Promise.all([disturb(disturber), customers]);
    log(`customers: ${tallies}`);
    return { ...(await audit(site, instances[0].url, providerUrl, resellers, options)), disturbances: counts };
  } finally {
    if (options.keep) log(`kept: ${site.dir}`);
    await site.close(options.keep === true);
  }
}

function standbyFor(disturbances: readonly Disturbance[]) {
  if (disturbances.includes("failover")) return "synchronous";
  return disturbances.includes("lossy_failover") ? "asynchronous" : "none";
}

async function shop(site: Site, { orders, customers, seed }: ProofOptions): Promise<string> {
  const { stdout } = await run(
    "python3",
    [
      join(here, "customers.py"),
      ...["--instances", site.file("instances"), "--accounts", site.file("accounts.json")],
      ...["--orders", String(orders), "--threads", String(customers)],
      ...["--journal", site.file("orders.jsonl"), "--closed", site.file("closed"), "--seed", String(seed)],
    ],
    { maxBuffer: MAX_OUTPUT_BYTES },
  );
  return stdout.trim();
}

/** Waits until nothing is open, as an operator would before closing the books. */
async function settle(site: Site): Promise<void> {
  for (const deadline = Date.now() + SETTLE_TIMEOUT_MS; Date.now() < deadline; await sleep(SETTLE_POLL_MS)) {
    const { still_open } = JSON.parse(await site.admin("reconcile"));
    if (still_open === 0) return;
  }
}

async function readCases(site: Site): Promise<unknown[]> {
  const cases: unknown[] = [];
  for (let before: string[] = []; ; ) {
    const page = JSON.parse(await site.admin("reconciliation", "list", ...before));
    cases.push(...page.cases);
    if (page.next_before === null) return cases;
    before = ["--before", String(page.next_before)];
  }
}

async function audit(
  site: Site,
  instanceUrl: string,
  providerUrl: string,
  resellers: readonly number[],
  { disturbances }: ProofOptions,
): Promise<Omit<ProofReport, "disturbances">> {
  await settle(site);
  // Exit code 3: there are cases.
  await site.admin("reconciliation", "compare", "--provider", "outside").catch(() => undefined);
  const walletVerify = JSON.parse(await site.admin("wallet", "verify"));
  writeFileSync(site.file("cases.json"), JSON.stringify({ cases: await readCases(site) }));
  const books = await fetch(`${providerUrl}/books`);
  writeFileSync(site.file("books.json"), await books.text());
  mkdirSync(site.file("statements"));
  for (const reseller of resellers) {
    const period = ["--from", "2020-01-01", "--to", "2099-01-01"];
    const csv = await site.admin("wallet", "statement", "--reseller", String(reseller), ...period);
    writeFileSync(join(site.file("statements"), `${reseller}.csv`), csv);
  }
  const args = [
    join(here, "accountant.py"),
    ...["--instance", instanceUrl, "--accounts", site.file("accounts.json")],
    ...["--orders", site.file("orders.jsonl"), "--statements", site.file("statements")],
    ...["--provider-journal", site.file("provider.jsonl"), "--provider-books", site.file("books.json")],
    ...["--cases", site.file("cases.json")],
    // Keys of the lost seconds are gone: a replay would order again.
    ...(disturbances.includes("lossy_failover") ? [] : ["--replay"]),
  ];
  const { stdout } = await run("python3", args, { maxBuffer: MAX_OUTPUT_BYTES }).catch(
    (failed: { stdout?: string; stderr?: string }) => {
      if (!failed.stdout) throw new Error(`the accountant failed:\n${failed.stderr}`);
      return { stdout: failed.stdout };
    },
  );
  return { ...JSON.parse(stdout), walletVerify };
}
