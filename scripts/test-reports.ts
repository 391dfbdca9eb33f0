/** The reports of Vitest and Playwright, as `npm test` counts them. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

type TestFile = { name: string; seconds: number };
/** The result of a run; `failures`: the failed tests, each with the beginning of its error. */
export type Outcome = { passed: number; failed: number; failures: string[]; files: TestFile[] };

const ERROR_LINES_SHOWN = 8;
const root = join(import.meta.dirname, "..");

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

export function readVitestReport(file: string): Outcome {
  const result = JSON.parse(readFileSync(file, "utf8")) as VitestReport;
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
}

export function readPlaywrightReport(file: string): Outcome {
  const { stats, errors, suites } = JSON.parse(readFileSync(file, "utf8")) as {
    stats: { expected: number; unexpected: number; flaky: number };
    errors: { message?: string }[];
    suites: PlaywrightSuite[];
  };
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (errors.length > 0 ? 1 : 0),
    failures: [...suites.flatMap(failedSpecs), ...errors.map(({ message }) => message ?? "an error without a test")],
    files: suites.flatMap(specFiles),
  };
}
