import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadStatements } from "#tests/support/all-statements.ts";

const root = join(import.meta.dirname, "..", "..", "..");

const claimed = [
  "operations",
  "idempotency_records",
  "admin_idempotency_records",
  "bulk_jobs",
  "webhook_deliveries",
  "mails",
  "provider_comparisons",
];

/** Statements that write to a claimed row without the claim's token, with the reason. */
const withoutToken: Readonly<Record<string, string>> = {
  queue_webhook_deliveries: "adds unclaimed deliveries",
  queue_mail: "adds unclaimed messages",
  retry_mail: "a person's order, of messages that nobody is sending",
  forget_mail_links: "forgets links that are used or void, and gives up messages with them that nobody is sending",
  insert_bulk_job: "adds an unclaimed job",
  cancel_bulk_job: "a person's order to the worker, which sees it before the next item",
  retry_bulk_job: "a person's order, and of jobs that have finished",
  store_settled_answer:
    "replaces, once, the answer of a request that has ended; what is settled is the same for everyone",
  requeue_webhook_delivery: "a person's order: an attempt in flight keeps its claim and sees `resent`",
  requeue_event: "the same",
  requeue_not_delivered: "the same, of deliveries that have ended",
  discard_deliveries: "discards unclaimed deliveries",
  challenge_webhook_endpoint: "the same",
  end_interrupted_comparison: "ends a comparison without an owner",
  settle_wallets: "ends what `lock_settlements` has locked by the token in the same transaction",
  end_false_waits: "makes unclaimed rows due",
  adopt_provider_facts: "changes operations that have ended, which nobody claims",
  set_spending_limit: "counts past charges; whoever runs them neither reads nor writes this column",
  postpone_demo_operation: "the demonstration's, of an operation that it has just made",
  release_dead_processes: "the one way to lose a claim: the token stays until the next claim replaces it",
};

function filesOf(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => pattern.test(file))
    .map((file) => join(root, folder, file));
}

const sqlFunctions = filesOf("prisma/sql/functions", /\.sql$/).map((file) => ({
  name: /([a-z_]+)\.sql$/.exec(file)?.[1] ?? file,
  text: readFileSync(file, "utf8"),
}));
const statements = [...sqlFunctions, ...(await loadStatements()).map(({ name = "", text }) => ({ name, text }))];

const writes = new RegExp(`\\b(?:update|insert into) (?:${claimed.join("|")})\\b`);
const writers = statements.filter(({ text }) => writes.test(text));

test("the claimed tables are all tables with an owner", () => {
  const models = filesOf("prisma/schema", /\.prisma$/).flatMap((file) => readFileSync(file, "utf8").split(/^model /m));
  const owned = models
    .filter((model) => model.includes('@map("owner_id")'))
    .map((model) => /@@map\("(\w+)"\)/.exec(model)?.[1]);
  expect(owned.toSorted()).toEqual(claimed.toSorted());
});

describe("every write to a claimed row presents the token of its claim", () => {
  test("there are such writes", () => {
    expect(writers.length).toBeGreaterThan(15);
  });

  test.each(writers.map(({ name, text }) => [name, text] as const))("%s", (name, text) => {
    expect(name in withoutToken || /lease_token|p_token/.test(text)).toBe(true);
  });
});

test("every exception is needed", () => {
  const names = new Set(writers.map(({ name }) => name));
  expect(Object.keys(withoutToken).filter((name) => !names.has(name))).toEqual([]);
});

test("leases are written and compared by the database's clock, and there is one kind", () => {
  const leasing = statements.filter(({ text }) => /\b(lease_until|locked_until)\b/.test(text));
  expect(leasing.map(({ name }) => name).toSorted()).toEqual([
    "read_figures",
    "read_readiness",
    "read_system",
    "release_dead_processes",
  ]);
  const renewal = readFileSync(join(root, "lib/db/lease/process.ts"), "utf8");
  expect(renewal).toContain("clock_timestamp() + make_interval(secs => $5)");
  for (const { text } of leasing) expect(text).toMatch(/lease_until (?:<=|>) clock_timestamp\(\)/);
});

/** The statement that corrects a time too far ahead, for each time that has to pass before a claim. */
const corrected: Readonly<Record<string, string>> = {
  lease_until: "release_dead_processes",
  next_at: "claim_due_run",
  ask_at: "end_false_waits",
  next_attempt_at: "end_false_waits",
  run_at: "end_false_waits",
};
/** Times that have to pass before something ends, and nothing waits for that end. */
const endings = ["created_at", "secret_until", "send_until"];

test("every time that a claim waits for is corrected after the clock was ahead", () => {
  const claims = statements.filter(({ name }) => /^(?:claim|list_free|release|queue_backlog)/.test(name));
  const past = /\b(\w+_(?:at|until)) <=? \(?(?:select )?(?:p_now|now\(\)|clock_timestamp\(\)|\$\d)/g;
  const times = claims.flatMap(({ text }) => [...text.matchAll(past)].map(([, column]) => column));
  expect([...new Set(times)].toSorted()).toEqual([...Object.keys(corrected), ...endings].toSorted());
  for (const [column, by] of Object.entries(corrected)) {
    const correcting = statements.filter(({ name, text }) => name === by && text.includes(`${column} > `));
    expect(correcting, column).not.toEqual([]);
  }
});
