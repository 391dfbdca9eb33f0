/** What the global setup started, for fixtures and tests. */
export type E2eEnvironment = {
  databaseUrl: string;
  /** A migrated, empty database without connections, to copy. */
  templateUrl: string;
  /** Base URL of our own server, `node server.ts`. */
  serverUrl: string;
  /** Base URL of a stock `next start` on the same database. */
  nextUrl: string;
};

const VARIABLES = {
  databaseUrl: "E2E_DATABASE_URL",
  templateUrl: "E2E_TEMPLATE_URL",
  serverUrl: "E2E_SERVER_URL",
  nextUrl: "E2E_NEXT_URL",
} as const satisfies Record<keyof E2eEnvironment, string>;

/** Workers are started after the global setup, and inherit its environment. */
export function publishEnvironment(environment: E2eEnvironment): void {
  for (const [key, variable] of Object.entries(VARIABLES))
    process.env[variable] = environment[key as keyof E2eEnvironment];
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
    templateUrl: read(VARIABLES.templateUrl),
    serverUrl: read(VARIABLES.serverUrl),
    nextUrl: read(VARIABLES.nextUrl),
  };
}

/** Where the tests of a Playwright project send their requests: `api-next` to the stock server, all others to ours. */
export function baseUrlFor(projectName: string): string {
  const { serverUrl, nextUrl } = e2eEnvironment();
  return projectName === "api-next" ? nextUrl : serverUrl;
}
