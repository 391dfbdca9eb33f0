import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { queuedJobs } from "./queue.ts";
import { createSchedule } from "./schedule.ts";

const folder = join(import.meta.dirname, "../../prisma/sql/functions");
const functions = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
const namesIn = (pattern: RegExp) => functions.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name));

test("every task that a SQL function queues is one of the worker's", () => {
  const tasks = namesIn(/(?:add_job|wake_worker|wake_reseller)\('(\w+)'/g);
  expect([...new Set(tasks)].toSorted()).toEqual([...Object.keys(queuedJobs), "deliver_webhooks"].toSorted());
});

test("every job that a SQL function makes due is scheduled", () => {
  const names = namesIn(/insert into job_runs \(name, next_at\) values \('(\w+)'/g);
  expect(names).not.toEqual([]);
  expect(Object.keys(createSchedule(async () => null))).toEqual(expect.arrayContaining(names));
});
