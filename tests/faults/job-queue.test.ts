import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type JobQueue, startJobQueue } from "#lib/db/job/queue.ts";
import { createTestDatabase } from "#tests/database.ts";
import { runSql } from "#tests/support/database-contents.ts";
import { startDatabaseProxy } from "./database-proxy.ts";

/** A statement without an answer fails after 17 s, a queue that has failed starts again 10 s later. */
const TIMEOUT_MS = 120_000;
const POLL = { timeout: TIMEOUT_MS / 2, interval: 100 };

test(
  "jobs go on, also one that was locked without our knowing, although the connections of the queue fall silent; those that listen do not time out",
  async () => {
    const database = await createTestDatabase();
    const proxy = await startDatabaseProxy(database.url);
    const addJob = () => runSql(database.url, "select graphile_worker.add_job('count')");
    let done = 0;
    const errors: string[] = [];
    const queue: JobQueue = startJobQueue({
      databaseUrl: proxy.url,
      jobs: {
        count: async () => {
          done += 1;
        },
      },
      reservedFor: null,
      log: (level, message) => void (level === "error" && errors.push(message)),
      stopGraceMs: 1_000,
      onWorkers() {},
      onPool() {},
    });
    try {
      await expect
        .poll(
          () =>
            addJob().then(
              () => done,
              () => 0,
            ),
          POLL,
        )
        .toBeGreaterThan(0);
      await sleep(20_000);
      expect(errors).toEqual([]);
      const before = done;
      proxy.loseAnswers();
      await addJob();
      await expect.poll(() => done, POLL).toBeGreaterThan(before);
    } finally {
      await queue.stop();
      await proxy.close();
      await database.drop();
    }
  },
  TIMEOUT_MS,
);
