import { defineConfig } from "@playwright/test";
import { browserLaunchOptions } from "./scripts/browser.ts";
import { shareCompiledCode } from "./tests/compiled-code.ts";
import { keepTemporaryFoldersInMemory } from "./tests/temporary-folder.ts";

keepTemporaryFoldersInMemory();
shareCompiledCode();

const API_TESTS = [
  "contract/**/*.spec.ts",
  "deployment/**/*.spec.ts",
  "path-api/**/*.spec.ts",
  "dispatch-api/**/*.spec.ts",
  "mcp/**/*.spec.ts",
  "quickstart/**/*.spec.ts",
];
/** Programs of others that call our server: they pause, and wait for outcomes, most of their time. */
const CLIENT_TESTS = ["clients/**/*.spec.ts", "panels/**/*.spec.ts", "webkit/**/*.spec.ts"];
/** Measures recovery, so nothing else runs beside it. */
const MACHINE_TESTS = "machines/**/*.spec.ts";
const DASHBOARD_TESTS = "dashboard/**/*.spec.ts";
/** Where a stock Next server may answer otherwise: transport, bodies, headers, signatures; every operation and code once; and secrets. */
const MOUNT_TESTS = [
  "contract/{actions,auth,bodies,clients,environment,faults,fuzz,garbage,headers,methods,monitoring,rate-limit,signing,transport}.spec.ts",
  "{dispatch-api,path-api}/every-code.spec.ts",
  "dispatch-api/walk.spec.ts",
  "path-api/webhook-chats.spec.ts",
  "mcp/transport.spec.ts",
];
/** What only phones have. */
const PHONE_TESTS = "dashboard/**/*.phone.spec.ts";
/** On a phone as well, without tests tagged `@desktop`: every page's layout, navigation, and each way to move money. */
const PHONE_TOO_TESTS = [
  "dashboard/**/*looks.spec.ts",
  "dashboard/{first-steps,navigation,reference,sign-in}.spec.ts",
  "dashboard/{bulk,bundles,labels,license,license-changes,license-import,relocations,register}.spec.ts",
  "dashboard/{price-changed,price-limits,reconciliation,top-ups,wallet}.spec.ts",
];

/** One more than CI has processors: two leave a tenth of these unused, as tests wait for a page or an answer. */
const WORKERS = 3;

const browser = browserLaunchOptions();
/** No page of a test is open long enough for V8's optimizing compilers to win what they cost. */
const launchOptions = { ...browser, args: [...(browser.args ?? []), "--js-flags=--no-turbofan --no-maglev"] };

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/support/global-setup.ts",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: WORKERS,
  // A wait ends with its event; these only end one whose event never comes, also on a busy machine.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  // What it answers has a test of its own; elsewhere it would hide requests from the tests.
  use: { screenshot: "only-on-failure", serviceWorkers: "block" },
  projects: [
    // The two ways to serve the API: our server, and a stock Next server.
    { name: "api-server", testMatch: API_TESTS },
    { name: "api-next", testMatch: MOUNT_TESTS },
    { name: "clients", testMatch: CLIENT_TESTS },
    {
      name: "dashboard",
      testMatch: DASHBOARD_TESTS,
      testIgnore: PHONE_TESTS,
      use: { browserName: "chromium", viewport: { width: 1440, height: 900 }, launchOptions },
    },
    {
      name: "dashboard-phone",
      testMatch: [PHONE_TESTS, ...PHONE_TOO_TESTS],
      grepInvert: /@desktop/,
      use: {
        browserName: "chromium",
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        launchOptions,
      },
    },
    {
      name: "machines",
      testMatch: MACHINE_TESTS,
      dependencies: ["api-server", "api-next", "dashboard", "dashboard-phone"],
    },
  ],
});
