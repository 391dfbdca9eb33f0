import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Limiter, LimiterStore } from "#lib/ports/limiter.ts";
import { type RedisServer, startRedis } from "#tests/support/redis-server.ts";
import { createRedisLimiters } from "./limiter-redis.ts";

const INSTALL_TIMEOUT_MS = 120_000;
const NOW_MS = 1_800_000_000_000;

let redis: RedisServer | null;
const stores: LimiterStore[] = [];
let failures: string[] = [];
let counted = 0;
let names = 0;

beforeAll(async () => {
  redis = await startRedis();
}, INSTALL_TIMEOUT_MS);
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  failures = [];
});
afterAll(() => redis?.close());

/** A limiter as each of so many processes opens it, once Redis counts for it: on a busy machine that can take seconds. */
async function open(count: number, windowMs = 60_000, installations = ["ours"]): Promise<Limiter[]> {
  const url = redis?.url ?? "";
  names += 1;
  const options = { name: `test-${names}`, windowMs, maxTracked: 100 };
  const limiters = Array.from({ length: count }, (_, index) => {
    const store = createRedisLimiters({
      url,
      installation: installations[index % installations.length] ?? "",
      watch: { failed: (kind) => failures.push(kind), succeeded: () => counted++ },
    });
    stores.push(store);
    return store.limiter(options);
  });
  for (const limiter of limiters) await expect.poll(() => isCounted(limiter)).toBe(true);
  failures = [];
  return limiters;
}

async function isCounted(limiter: Limiter | undefined): Promise<boolean> {
  counted = 0;
  await limiter?.take("another key", 1_000, NOW_MS);
  return counted === 1;
}

const skip = ({ skip: because }: { skip: (note: string) => void }) => {
  if (redis === null) because("Redis cannot be installed here");
};

describe("Redis counts requests", () => {
  test("exactly, over any number of processes that ask at once", async (context) => {
    skip(context);
    const limiters = await open(4);
    const ask = (key: string) =>
      Promise.all(Array.from({ length: 400 }, (_, index) => limiters[index % 4]?.take(key, 100, NOW_MS)));
    let decisions = await ask("key");
    // A busy machine may not answer so many in time: then processes count for themselves for a second.
    for (let tries = 1; failures.length > 0 && tries < 20; tries++) {
      await sleep(1_100);
      failures = [];
      decisions = await ask(`key ${tries}`);
    }
    expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(100);
    expect(decisions.map((decision) => decision?.remaining).sort((a = 0, b = 0) => b - a)[0]).toBe(99);
    expect(failures).toEqual([]);
  });

  test("in windows that begin with the first request: denied requests do not count, so a raised limit helps at once", async (context) => {
    skip(context);
    const [limiter] = await open(1, 1_000);
    expect(await limiter?.take("key", 1, NOW_MS)).toMatchObject({ allowed: true, remaining: 0, retryAfterSeconds: 0 });
    for (let i = 0; i < 5; i++) {
      expect(await limiter?.take("key", 1, NOW_MS)).toEqual({
        allowed: false,
        limit: 1,
        remaining: 0,
        resetsAtSeconds: NOW_MS / 1000 + 1,
        retryAfterSeconds: 1,
      });
    }
    expect(await limiter?.take("key", 2, NOW_MS)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limiter?.take("other key", 1, NOW_MS)).toMatchObject({ allowed: true });
    await sleep(1_050);
    expect(await limiter?.take("key", 1, NOW_MS)).toMatchObject({ allowed: true });
  });

  test("of each installation apart, whose keys have the same ids", async (context) => {
    skip(context);
    const [ours, theirs] = await open(2, 60_000, ["ours", "theirs"]);
    expect(await ours?.take("key:1", 1, NOW_MS)).toMatchObject({ allowed: true });
    expect(await theirs?.take("key:1", 1, NOW_MS)).toMatchObject({ allowed: true });
    expect(await ours?.take("key:1", 1, NOW_MS)).toMatchObject({ allowed: false });
  });

  test("and uncounts a released one for all", async (context) => {
    skip(context);
    const [here, there] = await open(2);
    expect(await here?.take("key", 1, NOW_MS)).toMatchObject({ allowed: true });
    expect(await there?.take("key", 1, NOW_MS)).toMatchObject({ allowed: false });
    here?.release("key", NOW_MS);
    await expect.poll(async () => there?.take("key", 1, NOW_MS)).toMatchObject({ allowed: true });
  });
});

describe("while Redis hangs", () => {
  test("each process keeps its own counts, waits for Redis at most once a second, and uses it again once it answers", async (context) => {
    skip(context);
    const [limiter] = await open(1);
    await limiter?.take("key", 3, NOW_MS);
    redis?.freeze();
    try {
      const startedAtMs = performance.now();
      const decisions = [];
      for (let i = 0; i < 50; i++) decisions.push(await limiter?.take("key", 3, NOW_MS));
      expect(performance.now() - startedAtMs).toBeLessThan(1_000);
      expect(decisions.filter((decision) => decision?.allowed)).toHaveLength(3);
      expect(failures).toEqual(["timeout"]);
    } finally {
      redis?.wakeUp();
    }
    await expect.poll(() => isCounted(limiter)).toBe(true);
    // Two: the request that Redis answered too late counts there, too.
    expect(await limiter?.take("key", 3, NOW_MS)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limiter?.take("key", 3, NOW_MS)).toMatchObject({ allowed: false });
  });

  test("or is not there, requests are answered all the same", async () => {
    const watch = { failed: (kind: string) => failures.push(kind), succeeded: () => {} };
    const store = createRedisLimiters({ url: "redis://127.0.0.1:1", installation: "ours", watch });
    stores.push(store);
    const limiter = store.limiter({ name: "away", windowMs: 60_000, maxTracked: 100 });
    expect(await limiter.take("key", 1, NOW_MS)).toMatchObject({ allowed: true });
    expect(await limiter.take("key", 1, NOW_MS)).toMatchObject({ allowed: false });
    limiter.release("key", NOW_MS);
    expect(await limiter.take("key", 1, NOW_MS)).toMatchObject({ allowed: true });
    expect(failures.length).toBeGreaterThan(0);
  });

  test.each(["+OK\r\n", "*3\r\n:1\r\n$1\r\nx\r\n$-1\r\n", "$-1\r\n"])(
    "or answers what is no count (%j), too",
    async (reply) => {
      const server = createServer((socket) => {
        socket.on("error", () => {});
        socket.on("data", (chunk) => socket.write(reply.repeat(`\r\n${chunk}`.split("\r\n*").length - 1)));
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const watch = { failed: (kind: string) => failures.push(kind), succeeded: () => {} };
      const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const store = createRedisLimiters({ url, installation: "ours", watch });
      stores.push(store);
      const limiter = store.limiter({ name: "strange", windowMs: 60_000, maxTracked: 100 });
      const isUnclear = async () => {
        await limiter.take("another key", 1, NOW_MS);
        return failures.includes("unclear_answer");
      };
      await expect.poll(isUnclear, { timeout: 10_000 }).toBe(true);
      expect(await limiter.take("key", 1, NOW_MS)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.take("key", 1, NOW_MS)).toMatchObject({ allowed: false });
      server.close();
    },
  );
});
