import { test as base, expect } from "@playwright/test";
import { ensureCatalog } from "./catalog.ts";
import { baseUrlFor, e2eEnvironment } from "./environment.ts";
import { newReseller, type Reseller, type ResellerOptions } from "./world.ts";

/**
 * Tests whose clients all come from one address, which requests without a key may have exhausted: a key that has been
 * valid once is looked up all the same (contract 1.3).
 */
const FOREIGN_CLIENTS = /\/e2e\/(?:clients|panels|quickstart)\/|\/contract\/clients\.spec/;

interface Fixtures {
  /** A reseller with 1,000 US dollars, every scope, and a limit that no test reaches. */
  readonly reseller: Reseller;
  readonly newReseller: (options?: ResellerOptions) => Promise<Reseller>;
}

interface WorkerFixtures {
  readonly catalog: undefined;
  /** The server that the project is about. */
  readonly apiUrl: string;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  catalog: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its first parameter.
    async ({}, use) => {
      await ensureCatalog(e2eEnvironment().databaseUrl);
      await use(undefined);
    },
    { scope: "worker", auto: true },
  ],
  apiUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: see above.
    async ({}, use, { project }) => use(baseUrlFor(project.name)),
    { scope: "worker" },
  ],
  newReseller: async ({ apiUrl }, use, { file }) =>
    use(async (options) => {
      const reseller = await newReseller(apiUrl, options);
      if (FOREIGN_CLIENTS.test(file)) await reseller.dispatch.get("me");
      return reseller;
    }),
  reseller: async ({ newReseller }, use) => use(await newReseller()),
});

export { expect };
