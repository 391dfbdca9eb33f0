/**
 * The long form of e2e/contract/fuzz.spec.ts: npm run fuzz -- --requests=1000000 --seed=7
 * Repeats a finding by its seed and position: npm run fuzz -- --seed=7 --from=1234 --requests=1
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    from: { type: "string", default: "0" },
    minutes: { type: "string", default: "600" },
    serving: { type: "string", default: "server" },
  },
});
const { requests, seed, from, minutes, serving } = values;
const playwright = createRequire(import.meta.url).resolve("@playwright/test/cli");
const { status } = spawnSync(
  process.execPath,
  [playwright, "test", `--project=api-${serving}`, "contract/fuzz.spec.ts", "--grep=whatever is sent to any address"],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      FUZZ_REQUESTS: requests,
      FUZZ_SEED: seed,
      FUZZ_FROM: from,
      FUZZ_MINUTES: minutes,
    },
  },
);
process.exitCode = status ?? 1;
