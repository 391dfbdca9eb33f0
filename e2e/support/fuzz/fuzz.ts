import fc from "fast-check";
import { Pool } from "undici";
import { apis, garbage } from "../garbage.ts";
import { judge, judgeRaw } from "./judge.ts";
import type { Memory } from "./memory.ts";
import { exchange, type RawExchange, rawExchange } from "./raw.ts";
import { type FuzzRequest, send, toCurl } from "./request.ts";
import { furtherHeaders, webRequests } from "./web.ts";
import type { Credential, FuzzWorld } from "./world.ts";

/** Every request is answered, or its connection closed, within it. */
const WITHIN_MS = 20_000;
const MS_PER_MINUTE = 60_000;
const AT_ONCE = 16;
const TEND_EVERY = 2_000;
const SEED_STEP = 1_000_003;
/** Enough to see what is wrong. */
const MAX_FINDINGS = 20;

export interface FuzzOptions {
  readonly url: string;
  /** What the server holds. */
  readonly memory: () => Promise<Memory>;
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  /** Whether connections may be left open with a request that never ends. */
  readonly holdsOpen: boolean;
  /** It ends then, however many were sent. */
  readonly minutes: number;
}

export interface FuzzReport {
  readonly sent: number;
  readonly seconds: number;
  /** Once half was sent, when all code is loaded, and at the end. */
  readonly warm: Memory;
  readonly end: Memory;
  readonly slowestMs: number;
  readonly verdicts: Readonly<Record<string, number>>;
  /** What broke a promise, each with its place and how to send it again. */
  readonly findings: readonly string[];
}

type Thrown = FuzzRequest | RawExchange;

/** Requests of all kinds; each is made from the seed and its place alone. */
function requests({
  right,
  adminRight,
  apiCredentials,
  webCredentials,
  adminCredentials,
}: FuzzWorld): fc.Arbitrary<Thrown> {
  const somebodys = (all: fc.Arbitrary<FuzzRequest>, credentials: readonly Credential[]) =>
    fc.tuple(all, furtherHeaders, fc.constantFrom(...credentials)).map(([request, further, credential]) => ({
      ...request,
      headers: [...credential(request), ...request.headers, ...further],
    }));
  const api = fc.tuple(fc.oneof(...apis.map((api) => garbage(api, right))), fc.ipV4()).map(
    ([{ method, target, headers = {}, body }, source]): FuzzRequest => ({
      kind: "api",
      name: target.split(/[&#]/, 1)[0] ?? "",
      method,
      target,
      headers: [
        ["x-forwarded-for", source],
        ...Object.entries(headers).map(([name, value]) => [name, String(value)] as const),
      ],
      body: body === undefined ? null : Buffer.from(body as string | Uint8Array),
    }),
  );
  const web = webRequests(right);
  const admin = webRequests(adminRight);
  const ofApi = somebodys(api, apiCredentials);
  const ofActions = fc.oneof(
    somebodys(fc.oneof(...web.actions), webCredentials),
    somebodys(fc.oneof(...admin.actions), adminCredentials),
  );
  const ofPages = fc.oneof(
    somebodys(fc.oneof(...web.pages), webCredentials),
    somebodys(fc.oneof(...admin.pages), adminCredentials),
  );
  return fc.oneof(
    { weight: 78, arbitrary: ofApi },
    { weight: 8, arbitrary: ofActions },
    { weight: 4, arbitrary: ofPages },
    { weight: 10, arbitrary: rawExchange(fc.oneof({ weight: 8, arbitrary: ofApi }, ofActions, ofPages)) },
  );
}

export async function fuzz(world: FuzzWorld, options: FuzzOptions): Promise<FuzzReport> {
  const { url, memory, seed, from, count, holdsOpen, minutes } = options;
  const client = new Pool(url, {
    connections: AT_ONCE,
    headersTimeout: WITHIN_MS,
    bodyTimeout: WITHIN_MS,
    pipelining: 1,
  });
  const all = requests(world);
  const verdicts = new Map<string, number>();
  const findings: string[] = [];
  const startedAt = performance.now();
  let slowestMs = 0;
  let warm: Memory | undefined;

  const answerOf = async (thrown: Thrown): Promise<[verdict: string, broken: string | null]> => {
    if ("pieces" in thrown) {
      const sent = { ...thrown, ends: thrown.ends || !holdsOpen };
      const received = await exchange(Number(new URL(url).port), sent, WITHIN_MS);
      return [`raw ${/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? "closed"}`, judgeRaw(received)];
    }
    const answer = await send(client, thrown);
    return [`${thrown.kind} ${answer.status}`, judge(thrown, answer)];
  };
  const throwOne = async (place: number): Promise<void> => {
    const [thrown] = fc.sample(all, { seed: (seed * SEED_STEP + place) | 0, numRuns: 1 });
    if (thrown === undefined) return;
    const sentAt = performance.now();
    const [verdict, broken] = await answerOf(thrown).catch(
      (error: Error) => [`${error.name}`, `${error.message}`] as const,
    );
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - sentAt));
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    if (broken !== null) findings.push(`${broken}, at place ${place} of seed ${seed}:\n${shown(url, thrown)}`);
  };

  /** How much of the run is over, by what ends it first. */
  const progress = (place: number) =>
    Math.max((place - from) / count, (performance.now() - startedAt) / (minutes * MS_PER_MINUTE));
  for (let batch = from; progress(batch) < 1 && findings.length < MAX_FINDINGS; batch += TEND_EVERY) {
    await world.tend();
    let next = batch;
    const end = Math.min(batch + TEND_EVERY, from + count);
    const worker = async () => {
      while (next < end) await throwOne(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    if (progress(end) >= 0.5) warm ??= await memory();
  }
  await client.destroy();
  const end = await memory();
  return {
    sent: [...verdicts.values()].reduce((sum, number) => sum + number, 0),
    seconds: Math.round((performance.now() - startedAt) / 1000),
    warm: warm ?? end,
    end,
    slowestMs,
    verdicts: Object.fromEntries([...verdicts].toSorted()),
    findings,
  };
}

function shown(url: string, thrown: Thrown): string {
  if (!("pieces" in thrown)) return `${thrown.name}\n${toCurl(url, thrown)}`;
  const { hostname, port } = new URL(url);
  return `base64 -d <<< ${Buffer.concat(thrown.pieces).toString("base64")} | nc ${thrown.ends ? "-N " : ""}${hostname} ${port}`;
}
