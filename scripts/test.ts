/**
 * npm test: all checks, cheapest first; the last line is "N passed, N failed".
 * npm test -- --only=unit[,…] selects steps: unit, lint, unused, types, build, services, integration, e2e.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installInterpreters } from "./interpreters.ts";
import { type Outcome, readPlaywrightReport, readVitestReport } from "./test-reports.ts";

type Step = {
  name: string;
  /** Path of the program's script, and its arguments. */
  command: string[];
  env?: Record<string, string>;
  /** Reads the report of a run; without it the step is one check by its exit code. */
  count?: () => Outcome;
  /** Prepares something optional. */
  prepare?: () => void;
  /** A step that must have passed. */
  needs?: string;
  /** It waits most of its time: runs beside the following steps, up to the next that counts tests. */
  inBackground?: boolean;
};

const SLOWEST_SHOWN = 10;
/** More than there are of other tests: clients of the API pause and wait, three quarters of their time. */
const CLIENT_WORKERS = 4;
const root = join(import.meta.dirname, "..");
const require = createRequire(import.meta.url);
const reports = mkdtempSync(join(tmpdir(), "license-desk-test-"));

/** The script of a package's command, to run without shell and PATH. */
function program(packageName: string, command = packageName): string {
  const manifestPath = join(root, "node_modules", packageName, "package.json");
  const { bin } = JSON.parse(readFileSync(manifestPath, "utf8")) as { bin: string | Record<string, string> };
  const path = typeof bin === "string" ? bin : bin[command];
  if (path === undefined) throw new Error(`${packageName} has no command ${command}.`);
  return join(dirname(manifestPath), path);
}

function vitest(...projects: string[]): Pick<Step, "command" | "count"> {
  const report = `${projects[0]}.json`;
  return {
    command: [
      join(dirname(require.resolve("vitest/package.json")), "vitest.mjs"),
      "run",
      ...projects.map((project) => `--project=${project}`),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${join(reports, report)}`,
    ],
    count: () => readVitestReport(join(reports, report)),
  };
}

function playwright(project: string, ...options: string[]): Step {
  const report = join(reports, `e2e-${project}.json`);
  return {
    name: "e2e",
    needs: "build",
    command: [
      program("@playwright/test", "playwright"),
      "test",
      `--project=${project}`,
      "--reporter=list,json",
      `--output=test-results/${project}`,
      ...options,
    ],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    count: () => readPlaywrightReport(report),
  };
}

const steps: Step[] = [
  { name: "unit", inBackground: true, ...vitest("unit") },
  { name: "lint", command: [program("@biomejs/biome", "biome"), "check", "--error-on-warnings"] },
  { name: "unused", command: [program("knip"), "--no-progress"] },
  { name: "types", command: [program("typescript", "tsc"), "--noEmit", "-p", "."] },
  // Without the types of Node: the client runs in Deno and Bun too.
  { name: "types", command: [program("typescript", "tsc"), "-p", "clients/typescript"] },
  {
    name: "build",
    command: [program("next"), "build"],
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  },
  { name: "services", ...vitest("services") },
  // In one run, so that the longest wait of one project is beside the other's tests.
  { name: "integration", ...vitest("faults", "integration"), env: { SERVICES_RAN: "1" } },
  {
    ...playwright("clients", `--workers=${CLIENT_WORKERS}`),
    prepare: () => installInterpreters((line) => process.stdout.write(`${line}\n`)),
  },
  // And all that must have run before.
  playwright("machines"),
];

function chosenSteps(): Step[] {
  const option = process.argv.find((argument) => argument.startsWith("--only="));
  if (!option) return steps;
  const names = option.slice("--only=".length).split(",");
  const unknown = names.find((name) => !steps.some((step) => step.name === name));
  if (unknown !== undefined) {
    process.stderr.write(`No step "${unknown}": there are ${steps.map((step) => step.name).join(", ")}.\n`);
    process.exit(2);
  }
  return steps.filter((step) => names.includes(step.name));
}

/** The output of a step in the background follows when it ends. */
function execute(step: Step): Promise<number> {
  const output = step.inBackground ? "pipe" : "inherit";
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, step.command, {
      cwd: root,
      stdio: ["ignore", output, output],
      env: { ...process.env, ...step.env },
    });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      if (step.inBackground) process.stdout.write(`\n== ${step.name}\n${Buffer.concat(chunks)}`);
      resolve(code ?? 1);
    });
  });
}

/** A run that fails or leaves no report counts as failed. */
function outcomeOf(step: Step, exitCode: number): Outcome {
  const single = { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, failures: [], files: [] };
  if (!step.count) return single;
  try {
    const outcome = step.count();
    return exitCode === 0 ? outcome : { ...outcome, failed: Math.max(outcome.failed, 1) };
  } catch {
    return { passed: 0, failed: 1, failures: [], files: [] };
  }
}

/** A finished step: its result, and how long it took. */
interface Finished {
  readonly step: Step;
  readonly outcome: Outcome;
  readonly seconds: number;
}

async function run(step: Step): Promise<Finished> {
  if (!step.inBackground) process.stdout.write(`\n== ${step.name}\n`);
  step.prepare?.();
  const startedAt = performance.now();
  const outcome = outcomeOf(step, await execute(step));
  return { step, outcome, seconds: (performance.now() - startedAt) / 1000 };
}

const hasFailed = ({ outcome }: Finished) => outcome.failed > 0;

function notRun(step: Step): Finished {
  const failures = [`not run: ${step.needs} failed`];
  return { step, outcome: { passed: 0, failed: 1, failures, files: [] }, seconds: 0 };
}

async function runAll(chosen: readonly Step[]): Promise<Finished[]> {
  const started: Promise<Finished>[] = [];
  for (const step of chosen) {
    const finished = step.count || step.needs !== undefined ? await Promise.all(started) : [];
    const isNeedMet = !finished.some((other) => other.step.name === step.needs && hasFailed(other));
    const running = isNeedMet ? run(step) : Promise.resolve(notRun(step));
    started.push(running);
    if (!step.inBackground) await running;
  }
  return Promise.all(started);
}

async function main(): Promise<number> {
  const finished = await runAll(chosenSteps());
  rmSync(reports, { recursive: true, force: true });
  const summary = finished.flatMap(({ step, outcome: { passed, failed, failures }, seconds }) => [
    `${step.name.padEnd(12)} ${passed} passed, ${failed} failed  (${seconds.toFixed(1)} s)`,
    ...failures.map((failure) => `  failed: ${failure}`),
  ]);
  const files = finished.flatMap(({ outcome }) => outcome.files);
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  if (slowest.length > 0) summary.push("", "The slowest files:");
  summary.push(...slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`));
  const total = (count: "passed" | "failed") => finished.reduce((sum, { outcome }) => sum + outcome[count], 0);
  process.stdout.write(`\n${summary.join("\n")}\n\n${total("passed")} passed, ${total("failed")} failed\n`);
  return total("failed") === 0 ? 0 : 1;
}

process.exitCode = await main();
