import { defineConfig } from "@playwright/test";
import { browserLaunchOptions } from "./scripts/browser.ts";

const API_TESTS = ["contract/**/*.spec.ts", "path-api/**/*.spec.ts", "dispatch-api/**/*.spec.ts"];
const DASHBOARD_TESTS = "dashboard/**/*.spec.ts";
/** What the server answers, whatever the screen. */
const SCREENLESS_TESTS = "dashboard/{access,database-away,not-found,two-admins}.spec.ts";
/** What only phones have; all else of the dashboard is tested on both, but for these and what is tagged @desktop. */
const PHONE_TESTS = "dashboard/**/*.phone.spec.ts";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/support/global-setup.ts",
  outputDir: "test-results",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  timeout: 30_000,
  expect: { timeout: 5_000 },
  reporter: "list",
  use: { screenshot: "only-on-failure" },
  projects: [
    // The same tests against both ways to serve the API: our server, and a stock Next server.
    { name: "api-server", testMatch: API_TESTS },
    { name: "api-next", testMatch: API_TESTS },
    {
      name: "dashboard",
      testMatch: DASHBOARD_TESTS,
      testIgnore: PHONE_TESTS,
      use: { browserName: "chromium", viewport: { width: 1440, height: 900 }, launchOptions: browserLaunchOptions() },
    },
    {
      name: "dashboard-phone",
      testMatch: DASHBOARD_TESTS,
      testIgnore: SCREENLESS_TESTS,
      grepInvert: /@desktop/,
      use: {
        browserName: "chromium",
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        launchOptions: browserLaunchOptions(),
      },
    },
  ],
});
