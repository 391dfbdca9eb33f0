import { expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import { type CrashCase, createServers, runCrashCase } from "./crash-case.ts";
import type { Desk } from "./desk.ts";
import { onScratchDesk } from "./scratch.ts";
import { startServer } from "./server-process.ts";
import { findErrors, runStopCase } from "./stop-case.ts";
import { runStorm } from "./storm.ts";

const TIMEOUT_MS = 180_000;

/** Removes a guard of a database function, and constraints that would replace it. */
async function dropGuard(desk: Desk, functionName: string, guard: string): Promise<void> {
  const run = (text: string) => desk.db.query(sql<{ definition: string }>(text), []);
  const [row] = await run(`select pg_get_functiondef('${functionName}'::regproc) as definition`);
  const mutant = row?.definition.replace(guard, "");
  expect(mutant).not.toBe(row?.definition);
  await run(String(mutant));
  await run("alter table wallets drop constraint wallets_spendable_never_negative");
  await run("alter table wallets drop constraint wallets_held_never_negative");
  await run("alter table events drop constraint events_pkey cascade");
}

async function crash(desk: Desk, crashCase: CrashCase, preload: readonly string[] = []): Promise<string[]> {
  const servers = createServers({ databaseUrl: desk.databaseUrl, preload });
  try {
    return await runCrashCase(desk, servers, crashCase);
  } finally {
    await servers.close();
  }
}

const diesBeforeSettling: CrashCase = {
  verb: "register",
  fault: "none",
  point: { moment: "before", statement: "settle_operations", nth: 1 },
  recovery: "caller first",
};
const losesAnswer: CrashCase = { verb: "renew", fault: "losesAnswer", point: null, recovery: "sweeper first" };
const calm = { seed: 1, size: 30, violent: false };

test(
  "with all guards, the same cases find no errors",
  async () => {
    const wrong = await onScratchDesk(async (desk) => [
      ...(await crash(desk, diesBeforeSettling)),
      ...(await crash(desk, losesAnswer)),
      ...(await runStorm(desk, calm)),
    ]);
    expect(wrong).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  "an operation that is settled twice is detected",
  async () => {
    const wrong = await onScratchDesk(async (desk) => {
      await dropGuard(desk, "lock_settlements", "and o.lease_token = s.token and o.settled_at is null");
      return crash(desk, diesBeforeSettling);
    });
    expect(wrong.join("\n")).toMatch(/charged or credited exactly its price, once/);
  },
  TIMEOUT_MS,
);

test(
  "held money that does not exist is detected",
  async () => {
    const wrong = await onScratchDesk(async (desk) => {
      await dropGuard(desk, "hold_money", "and w.posted - w.held >= t.amount");
      return runStorm(desk, calm);
    });
    expect(wrong.join("\n")).toMatch(/what can be spent is never negative/);
  },
  TIMEOUT_MS,
);

test(
  "a request that a stopped server sends later, unvoided, is detected",
  async () => {
    const wrong = await onScratchDesk(async (desk) => {
      const other = await startServer({
        databaseUrl: desk.databaseUrl,
        env: { WORKER: "on" },
        preload: ["void-nothing.ts"],
      });
      const point = { moment: "before", statement: "sandbox_decide_request", nth: 1 } as const;
      try {
        await runStopCase(desk, other, { verb: "renew", fault: "none", point, meanwhile: "sweeper" }, 0);
        return await findErrors(desk);
      } finally {
        await other.kill();
      }
    });
    expect(wrong.join("\n")).toMatch(/the provider has done what succeeded/);
  },
  TIMEOUT_MS,
);

test(
  "an unknown outcome taken for a rejection is detected",
  async () => {
    const wrong = await onScratchDesk((desk) => crash(desk, losesAnswer, ["reject-unknown.ts"]));
    expect(wrong.join("\n")).toMatch(/the provider has done what succeeded/);
  },
  TIMEOUT_MS,
);
