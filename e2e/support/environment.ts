/** What the global setup started, for fixtures and tests. */
export type E2eEnvironment = {
  databaseUrl: string;
  /** Base URL of our own server, `node server.ts`. */
  serverUrl: string;
  /** Base URL of a stock `next start` on the same database. */
  nextUrl: string;
};

const VARIABLES = { databaseUrl: "E2E_DATABASE_URL", serverUrl: "E2E_SERVER_URL", nextUrl: "E2E_NEXT_URL" } as const;

/** Workers are started after the global setup, and inherit its environment. */
export function publishEnvironment(environment: E2eEnvironment): void {
  for (const key of ["databaseUrl", "serverUrl", "nextUrl"] as const) process.env[VARIABLES[key]] = environment[key];
}

/** @throws outside a run of Playwright. */
export function e2eEnvironment(): E2eEnvironment {
  const read = (name: string): string => {
    const value = process.env[name];
    if (value === undefined) throw new Error(`${name} is not set: run the tests with Playwright.`);
    return value;
  };
  return {
    databaseUrl: read(VARIABLES.databaseUrl),
    serverUrl: read(VARIABLES.serverUrl),
    nextUrl: read(VARIABLES.nextUrl),
  };
}

/** Where the tests of a Playwright project send their requests: `api-next` to the stock server, all others to ours. */
export function baseUrlFor(projectName: string): string {
  const { serverUrl, nextUrl } = e2eEnvironment();
  return projectName === "api-next" ? nextUrl : serverUrl;
}
