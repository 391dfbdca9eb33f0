import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Share {
  /** What bounds the share of one reseller; without a test, why none is needed. */
  readonly bound: string;
  readonly test?: string;
}

const notNeeded = (why: string): Share => ({ bound: why });

/** Everything that many callers share and one could use up, by file and name. */
const shares: Readonly<Record<string, Share>> = {
  // Connections and statements
  "db/connection/client.ts pool": {
    bound: "A reseller's statements take turns for at most half of the connections.",
    test: "lib/noisy-neighbor.test.ts",
  },
  "db/connection/in-turn.ts primary": { bound: "`slotsOfOne`.", test: "lib/db/connection/in-turn.test.ts" },
  "runtime.ts connections": { bound: "As above.", test: "lib/noisy-neighbor.test.ts" },
  "services/read-in-turn.ts pages": { bound: "`slotsOfOne`.", test: "lib/services/read-in-turn.test.ts" },
  "db/connection/batch.ts ask": notNeeded("What makes the batches below."),
  "db/connection/batch.ts askSlow": {
    bound: "Only what has timed out alone waits here.",
    test: "lib/db/connection/batch.test.ts",
  },
  "db/catalog/offer.ts findInBatch": notNeeded("A call has all questions of a turn of the event loop; none waits."),
  "db/license/license.ts findInBatch": notNeeded(
    "Two calls answer all that wait: they take a look-up by key for each.",
  ),
  "db/operation/hold.ts holdInBatch": {
    bound: "A question that times out or fails does so alone.",
    test: "lib/db/connection/batch.test.ts",
  },
  "db/operation/outcome.ts markInBatch": { bound: "As for holds.", test: "lib/db/connection/batch.test.ts" },
  "db/operation/outcome.ts settleInBatch": { bound: "As for holds.", test: "lib/db/connection/batch.test.ts" },
  "db/provider/sandbox.ts decide": notNeeded("Of the sandbox provider, whose books are ours: no call waits."),
  "db/webhook/delivery.ts recordInBatch": notNeeded("A call has all results of a turn of the event loop; none waits."),
  "db/connection/write-behind.ts MAX_COLLECTED": notNeeded(
    "Fills only while the database is away; no answer depends on what is dropped.",
  ),
  "db/request-log/request-log.ts MAX_COLLECTED": notNeeded("As above."),

  // Requests
  "runtime.ts requestLimiter": {
    bound: "Counts by key and by source; the oldest of 200,000 windows go first.",
    test: "lib/http/flood.test.ts",
  },
  "runtime.ts mailLimiter": {
    bound: "By reseller first, then by its mailbox.",
    test: "lib/services/mail/quota.test.ts",
  },
  "adapters/limiter-memory.ts counts": notNeeded("Counts of the two limiters above."),
  "adapters/limiter-primary.ts here": notNeeded("The same, in a process of a cluster."),
  "adapters/limiter-primary.ts known": notNeeded("The same, in the primary."),
  "adapters/limiter-redis.ts here": notNeeded("The same, while Redis is away."),
  "server/page-request.ts turns": { bound: "`slotsOfOne`.", test: "lib/server/page-turn.test.ts" },
  "server/guard-request.ts MAX_WAITING_REQUESTS": notNeeded("Of one connection."),
  "server/protection.ts MAX_HELD_BODY_BYTES": {
    bound: "Not by reseller: by source, whose connections are bounded. Forms below 64 KiB do not count.",
    test: "lib/server/protect-server.test.ts",
  },
  "access-log.ts MAX_BUFFERED_BYTES": notNeeded("Fills only while its reader is away; lost lines are counted."),
  "services/api-key/keyring.ts valid": notNeeded("A key that is evicted is looked up again."),
  "services/api-key/keyring.ts invalid": {
    bound: "Separate, so that tokens that are no keys evict none.",
    test: "lib/services/api-key/keyring.test.ts",
  },
  "services/api-key/keyring.ts proven": notNeeded(
    "Keys in use are the newest of 10,000. One that is evicted is in the list of used keys.",
  ),
  "services/api-key/keyring.ts strangers": {
    bound: "Keys in use do not wait here.",
    test: "lib/services/api-key/keyring.test.ts",
  },
  "services/user/sign-in-gate.ts attempts": notNeeded(
    "Remembers who comes most often; losing it frees nobody's place.",
  ),
  "services/user/sign-in-gate.ts line": {
    bound: "Places by account and by source.",
    test: "lib/services/user/waiting-line.test.ts",
  },
  "services/user/sign-in-gate.ts statements": { bound: "By the line.", test: "lib/services/user/sign-in.test.ts" },
  "services/user/sign-in-gate.ts checks": { bound: "By the line.", test: "lib/services/user/sign-in.test.ts" },
  "services/user/sign-in-gate.ts MAX_HELD": notNeeded("Beyond it, a busy answer comes at once."),
  "adapters/oidc-issuer.ts exchanges": {
    bound: "A code of the issuer is needed for each, and nobody is signed in yet.",
    test: "lib/adapters/oidc-issuer.test.ts",
  },
  "services/reseller/kept-figures.ts kept": notNeeded(
    "One entry for each reseller with more licenses than are counted.",
  ),
  "services/provider/registry.ts remembered": notNeeded("Providers belong to the installation."),

  // Providers
  "adapters/provider-dispatch.ts turns": { bound: "`slotsOfOne`.", test: "lib/services/provider/turns.test.ts" },
  "adapters/dispatch-transport.ts agent": {
    bound: "Its connections are taken by the turns above; four are for look-ups of the reconciler.",
    test: "lib/services/provider/turns.test.ts",
  },
  "adapters/provider-guard.ts policy": {
    bound: "Counts only requests without an answer, which no reseller causes by what it sends.",
    test: "lib/adapters/provider-guard.test.ts",
  },
  "operation-worker.ts SLOTS": {
    bound: "Open operations are listed one of each reseller before the second of any.",
    test: "lib/worker-turns.test.ts",
  },
  "operation-worker.ts startLoop": { bound: "As above.", test: "lib/worker-turns.test.ts" },

  // The worker's queues
  "db/job/queue.ts pool": notNeeded("Used only to start and end jobs, of which three run."),
  "db/job/queue.ts SHARED_SLOTS": {
    bound: "A reseller has one place for renewals and one for bulk changes.",
    test: "lib/worker-turns.test.ts",
  },
  "db/job/queue.ts startRunner": { bound: "As above.", test: "lib/worker-turns.test.ts" },
  "schedule-worker.ts loop": notNeeded("Periodic jobs are the installation's."),
  "mail-worker.ts SLOTS": { bound: "Resellers take turns for messages.", test: "lib/mail-worker.test.ts" },
  "mail-worker.ts startLoop": { bound: "As above.", test: "lib/mail-worker.test.ts" },
  "webhook-worker.ts SLOTS": {
    bound: "A reseller has at most half; endpoints take turns.",
    test: "lib/services/webhook/deliver.test.ts",
  },
  "webhook-worker.ts startLoop": { bound: "As above.", test: "lib/services/webhook/deliver.test.ts" },
  "adapters/webhook-sender-http.ts agents": notNeeded("An evicted one is closed after its requests, and made again."),
  "adapters/webhook-sender-http.ts agent": {
    bound: "More connections than an address may have requests.",
    test: "lib/webhook-flood.test.ts",
  },
  "adapters/webhook-route.ts names": notNeeded("A name that is evicted is resolved again."),
  "adapters/host-resolver-dns.ts kept": notNeeded("A name that is evicted is resolved again."),
};

const made =
  /\bnew (?:pg\.Pool|Turns|WaitingLine|LRUCache|FixedWindowLimiter|Agent)\b|\b(?:bulkhead|circuitBreaker|batchPerTurn|batchPerDatabase|startLoop|startRunner|createConnectionTurns|limiters\.limiter)(?=[<(])/;
const bounded = /^(?:export )?const (MAX_(?:BUFFERED|COLLECTED|HELD|WAITING)_?\w*|(?:\w+_)?SLOTS) = /;
/** The name that is declared for what is made: `const turns = `, `turns: `. */
const declared = /(\w+)(?:: [^=]*)?\s*[=:]\s*(?:[\w.&?() ]*)$/;

function findShared(): string[] {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.includes("/generated/"));
  const found = files.flatMap((file) =>
    readFileSync(join(import.meta.dirname, file), "utf8")
      .split("\n")
      .filter((line) => !/^\s*(?:\*|\/\*|\/\/|import\b|(?:export )?function\b)/.test(line))
      .flatMap((line) => {
        const constant = bounded.exec(line)?.[1];
        if (constant !== undefined) return `${file} ${constant}`;
        const maker = made.exec(line);
        return maker ? `${file} ${declared.exec(line.slice(0, maker.index))?.[1] ?? maker[0]}` : [];
      }),
  );
  return [...new Set(found)].toSorted();
}

test("everything that resellers share is listed with what bounds one reseller's share, or why nothing has to", () => {
  expect(findShared()).toEqual(Object.keys(shares).toSorted());
});

test("each bound names a test that exists", () => {
  const root = join(import.meta.dirname, "..");
  const missing = Object.values(shares).flatMap(({ test: file }) =>
    file && !existsSync(join(root, file)) ? file : [],
  );
  expect(missing).toEqual([]);
});
