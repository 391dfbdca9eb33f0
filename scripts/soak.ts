/** The long form of e2e/contract/soak.spec.ts, on the built app: npm run soak -- --minutes=60 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "60" } } });
const playwright = createRequire(import.meta.url).resolve("@playwright/test/cli");
const { status } = spawnSync(process.execPath, [playwright, "test", "--project=api-server", "contract/soak.spec.ts"], {
  stdio: "inherit",
  env: { ...process.env, SOAK_MINUTES: values.minutes },
});
process.exitCode = status ?? 1;
