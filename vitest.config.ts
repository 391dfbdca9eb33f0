import { defineConfig } from "vitest/config";
import { shareCompiledCode } from "./tests/compiled-code.ts";
import { keepTemporaryFoldersInMemory } from "./tests/temporary-folder.ts";

keepTemporaryFoldersInMemory();
shareCompiledCode();

/** Servers and databases that are killed, cut off and stopped; each file has its own. */
const faults = {
  include: ["tests/faults/**/*.test.ts"],
  globalSetup: ["./tests/global-setup.ts"],
  setupFiles: ["./tests/compare-rows.ts"],
  maxWorkers: 2,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          maxWorkers: 2,
          testTimeout: 20_000,
          include: ["lib/domain/**/*.test.ts", "components/**/*.test.ts", "app/**/*.test.ts", "clients/**/*.test.ts"],
        },
      },
      {
        test: {
          name: "integration",
          include: ["lib/**/*.test.ts", "agent/**/*.test.ts", "prisma/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: ["lib/domain/**"],
          globalSetup: ["./tests/global-setup.ts"],
          setupFiles: ["./tests/compare-rows.ts"],
          maxWorkers: 2,
          testTimeout: 20_000,
        },
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
