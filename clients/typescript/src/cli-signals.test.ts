import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { API_KEY, serve, silent } from "./scripted-server.ts";

test.each(["SIGINT", "SIGTERM"] as const)(
  "a change that %s ends says how to continue it",
  { timeout: 20_000 },
  async (signal) => {
    const { baseUrl, received } = await serve([silent]);
    const env = { ...process.env, LICENSE_DESK_URL: baseUrl, LICENSE_DESK_API_KEY: API_KEY };
    const cli = spawn(process.execPath, [join(import.meta.dirname, "cli.ts"), "renew", "12", "--yes"], { env });
    const exit = once(cli, "exit");
    const errors = text(cli.stderr);
    await expect.poll(() => received.length, { timeout: 15_000 }).toBe(1);
    cli.kill(signal);
    expect(await exit).toEqual([4, null]);
    expect(await errors).toContain(`--yes --idempotency-key ${received[0]?.headers["idempotency-key"]}\n`);
  },
);
