import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { runAlone } from "#tests/support/command-line.ts";
import { findDifferences } from "./books.ts";
import { post } from "./client.ts";
import { onScratchDesk } from "./scratch.ts";
import { secrets, startServer } from "./server-process.ts";
import { verbs } from "./verbs.ts";

/** Generous for a busy machine: response times are asserted separately. */
const TIMEOUT_MS = 180_000;

test(
  "after a crash the operator's `reconcile` restores the books, as `wallet verify` confirms",
  async () => {
    await onScratchDesk(async (desk) => {
      const environment = { DATABASE_URL: desk.databaseUrl, API_KEY_PEPPER: secrets.API_KEY_PEPPER };
      // The crash point from the environment, as set for debugging.
      const server = await startServer({
        databaseUrl: desk.databaseUrl,
        env: { CRASH_AT: "before:settle_operations:1" },
      });
      const buyer = await desk.newBuyer("500");
      const request = await verbs.bundle_register.prepare(desk, buyer, null);
      const { apiKey } = await desk.newKey(buyer.resellerId);
      expect(await post(server.url, { apiKey, idempotencyKey: randomUUID() }, request)).toBeNull();
      expect(await server.ended()).toBe("SIGKILL");
      expect(await findDifferences(desk.db)).not.toEqual([]);

      await desk.releaseDead();
      const { code, stdout } = await runAlone(["reconcile"], environment);
      expect([code, JSON.parse(stdout)]).toEqual([
        0,
        expect.objectContaining({ asked: 1, succeeded: 1, still_open: 0 }),
      ]);
      expect(await runAlone(["wallet", "verify"], environment)).toMatchObject({ code: 0 });
      expect(await findDifferences(desk.db)).toEqual([]);
    });
  },
  TIMEOUT_MS,
);
