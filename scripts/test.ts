/**
 * npm test: all checks, cheapest first; the last line is "N passed, N failed".
 * npm test -- --only=unit[,…] selects steps: lint, unused, types, unit, integration, faults, build, e2e.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { installInterpreters } from "./interpreters.ts";

type Counts = { passed: number; failed: number };
type TestFile = { name: string; seconds: number };
/** The result of a run; `failures`: the failed tests, each with the beginning of its error. */
type Outcome = Counts & { failures: string[]; files: TestFile[] };
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
};

const SLOWEST_SHOWN = 10;
const ERROR_LINES_SHOWN = 8;
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

function readReport(name: string): unknown {
  return JSON.parse(readFileSync(join(reports, name), "utf8"));
}

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  success: boolean;
  testResults: {
    name: string;
    status: string;
    message: string;
    startTime: number;
    endTime: number;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
};

type PlaywrightTest = { projectName: string; results: { duration: number; error?: { message?: string } }[] };

type PlaywrightSuite = {
  file: string;
  suites?: PlaywrightSuite[];
  specs: { ok: boolean; file: string; title: string; tests: PlaywrightTest[] }[];
};

/** A long log may be cut to its end, so the summary says why, too. */
function describeFailure(test: string, error = ""): string {
  const lines = stripVTControlCharacters(error).split("\n").slice(0, ERROR_LINES_SHOWN);
  return [test, ...lines.map((line) => `    ${line}`)].join("\n");
}

function failedSpecs({ suites = [], specs }: PlaywrightSuite): string[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? []));
      return describeFailure(`e2e/${file}: ${title}`, errors[0]);
    });
  return [...own, ...suites.flatMap(failedSpecs)];
}

/** Each project counts the files separately. */
function specFiles({ file, suites = [], specs }: PlaywrightSuite): TestFile[] {
  const own = specs.flatMap(({ tests }) =>
    tests.map(({ projectName, results }) => ({
      name: `e2e/${file} (${projectName})`,
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
  );
  const sums = new Map<string, number>();
  for (const { name, seconds } of [...own, ...suites.flatMap(specFiles)]) {
    sums.set(name, (sums.get(name) ?? 0) + seconds);
  }
  return [...sums].map(([name, seconds]) => ({ name, seconds }));
}

function vitest(project: string): Pick<Step, "command" | "count"> {
  const report = `${project}.json`;
  return {
    command: [
      join(dirname(require.resolve("vitest/package.json")), "vitest.mjs"),
      "run",
      `--project=${project}`,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${join(reports, report)}`,
    ],
    count: () => {
      const result = readReport(report) as VitestReport;
      // A file that does not load has no tests, but fails.
      const failed = Math.max(result.numFailedTests, result.success ? 0 : 1);
      const failures = result.testResults
        .filter(({ status }) => status === "failed")
        .flatMap(({ name, message, assertionResults }) => {
          const tests = assertionResults.filter(({ status }) => status === "failed");
          return tests.length > 0
            ? tests.map((test) => describeFailure(`${relative(root, name)}: ${test.fullName}`, test.failureMessages[0]))
            : [`${name}: ${message}`];
        });
      const files = result.testResults.map(({ name, startTime, endTime }) => ({
        name: relative(root, name),
        seconds: (endTime - startTime) / 1000,
      }));
      return { passed: result.numPassedTests, failed, failures, files };
    },
  };
}

const steps: Step[] = [
  { name: "lint", command: [program("@biomejs/biome", "biome"), "check", "--error-on-warnings"] },
  { name: "unused", command: [program("knip"), "--no-progress"] },
  { name: "types", command: [program("typescript", "tsc"), "--noEmit", "-p", "."] },
  // Without the types of Node: the client runs in Deno and Bun too.
  { name: "types", command: [program("typescript", "tsc"), "-p", "clients/typescript"] },
  { name: "unit", ...vitest("unit") },
  { name: "integration", ...vitest("integration") },
  { name: "faults", ...vitest("faults") },
  {
    name: "build",
    command: [program("next"), "build"],
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  },
  {
    name: "e2e",
    needs: "build",
    prepare: () => installInterpreters((line) => process.stdout.write(`${line}\n`)),
    command: [program("@playwright/test", "playwright"), "test", "--reporter=list,json"],
    // The many servers of the tests share their compiled code.
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, "e2e.json"), NODE_COMPILE_CACHE: join(reports, "compiled") },
    count: () => {
      const { stats, errors, suites } = readReport("e2e.json") as {
        stats: { expected: number; unexpected: number; flaky: number };
        errors: { message?: string }[];
        suites: PlaywrightSuite[];
      };
      return {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected + (errors.length > 0 ? 1 : 0),
        failures: [
          ...suites.flatMap(failedSpecs),
          ...errors.map(({ message }) => message ?? "an error without a test"),
        ],
        files: suites.flatMap(specFiles),
      };
    },
  },
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

function execute(step: Step): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, step.command, {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...step.env },
    });
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
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

async function main(): Promise<number> {
  const summary: string[] = [];
  const total: Counts = { passed: 0, failed: 0 };
  const failedSteps = new Set<string>();
  const files: TestFile[] = [];
  for (const step of chosenSteps()) {
    if (step.needs !== undefined && failedSteps.has(step.needs)) {
      summary.push(`${step.name.padEnd(12)} not run: ${step.needs} failed`);
      total.failed += 1;
      continue;
    }
    process.stdout.write(`\n== ${step.name}\n`);
    step.prepare?.();
    const startedAt = performance.now();
    const outcome = outcomeOf(step, await execute(step));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    if (outcome.failed > 0) failedSteps.add(step.name);
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    files.push(...outcome.files);
    summary.push(`${step.name.padEnd(12)} ${outcome.passed} passed, ${outcome.failed} failed  (${seconds} s)`);
    summary.push(...outcome.failures.map((failure) => `  failed: ${failure}`));
  }
  rmSync(reports, { recursive: true, force: true });
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  if (slowest.length > 0) summary.push("", "The slowest files:");
  summary.push(...slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`));
  process.stdout.write(`\n${summary.join("\n")}\n\n${total.passed} passed, ${total.failed} failed\n`);
  return total.failed === 0 ? 0 : 1;
}

process.exitCode = await main();
