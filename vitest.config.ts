import { defineConfig } from "vitest/config";
import { shareCompiledCode } from "./tests/compiled-code.ts";
import { keepTemporaryFoldersInMemory } from "./tests/temporary-folder.ts";

keepTemporaryFoldersInMemory();
shareCompiledCode();

/** Waits end with their event; these only end one whose event never comes, also on a busy machine. */
const expect = { poll: { timeout: 30_000 } };
const TIMEOUT_MS = 60_000;

/** One more than CI has processors: tests that wait, for PostgreSQL or a lease, leave a third of their time unused. */
const WAITING_WORKERS = 3;
/** Concurrent tests of one file wait for a silence to end, all at once. */
const MAX_CONCURRENCY = 20;

/** Servers and databases that are killed, cut off and stopped; each file has its own. */
const faults = {
  expect,
  include: ["tests/faults/**/*.test.ts"],
  globalSetup: ["./tests/global-setup.ts"],
  setupFiles: ["./tests/compare-rows.ts"],
  maxWorkers: WAITING_WORKERS,
  maxConcurrency: MAX_CONCURRENCY,
  hookTimeout: TIMEOUT_MS,
};

const integration = {
  expect,
  globalSetup: ["./tests/global-setup.ts"],
  setupFiles: ["./tests/compare-rows.ts"],
  maxWorkers: WAITING_WORKERS,
  testTimeout: TIMEOUT_MS,
  hookTimeout: TIMEOUT_MS,
};

/** Each file has a database of its own and keeps nothing in modules: they share threads, which load the modules once. */
const SERVICES = ["lib/services/**/*.test.ts", "lib/db/**/*.test.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          expect,
          maxWorkers: 2,
          testTimeout: TIMEOUT_MS,
          hookTimeout: TIMEOUT_MS,
          include: ["lib/domain/**/*.test.ts", "components/**/*.test.ts", "app/**/*.test.ts", "clients/**/*.test.ts"],
        },
      },
      {
        test: {
          ...integration,
          name: "integration",
          include: ["lib/**/*.test.ts", "agent/**/*.test.ts", "prisma/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: ["lib/domain/**", ...(process.env.SERVICES_RAN ? SERVICES : [])],
        },
      },
      {
        test: { ...integration, name: "services", include: SERVICES, pool: "threads", isolate: false },
      },
      {
        test: { ...faults, name: "faults", exclude: ["**/*.long.test.ts"], testTimeout: 120_000 },
      },
      {
        test: { ...faults, name: "faults-long", env: { FAULTS: "long" }, testTimeout: 120_000 },
      },
    ],
  },
});
