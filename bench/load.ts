/**
 * The load: wrk if installed, else autocannon. Closed loop: each connection waits for a response before its next
 * request.
 */
import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Round } from "./rounds.ts";

export interface Measurement extends Round {
  readonly answered: number;
}

export interface Load {
  readonly generator: string;
  /** @throws Error if any request failed, because error responses are not comparable. */
  measure(url: string, seconds: number): Promise<Measurement>;
}

export interface LoadOptions {
  readonly connections: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly string[];
  /** A folder for the generator's files. */
  readonly scratchDir: string;
}

export function chooseLoad(options: LoadOptions): Load {
  return isWrkInstalled() ? wrkLoad(options) : autocannonLoad(options);
}

function isWrkInstalled(): boolean {
  // It has no successful command without a load, so check only that it starts.
  return spawnSync("wrk", ["--version"], { stdio: "ignore" }).error === undefined;
}

const run = promisify(execFile);

function wrkLoad({ connections, headers, bodies, scratchDir }: LoadOptions): Load {
  const bodiesFile = join(scratchDir, "bodies.txt");
  writeFileSync(bodiesFile, `${bodies.join("\n")}\n`);
  const script = join(import.meta.dirname, "wrk-post.lua");
  return {
    generator: "wrk, 1 thread",
    async measure(url, seconds) {
      // Its own limit of 2 s would count delays by other programs as failures.
      const settings = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "20s", "-s", script];
      const { stdout } = await run("wrk", [...settings, url, "--", bodiesFile, ...Object.entries(headers).flat()]);
      const line = stdout.split("\n").find((text) => text.startsWith("{"));
      if (line === undefined) throw new Error(`wrk reported nothing about ${url}:\n${stdout}`);
      const result: { answered: number; seconds: number; p50Us: number; p99Us: number; failed: number } =
        JSON.parse(line);
      requireNoFailure(url, result.failed);
      return {
        answered: result.answered,
        perSecond: result.answered / result.seconds,
        p50Ms: result.p50Us / 1_000,
        p99Ms: result.p99Us / 1_000,
      };
    },
  };
}

function autocannonLoad({ connections, headers, bodies }: LoadOptions): Load {
  const jsonHeaders = { ...headers, "content-type": "application/json" };
  const requests = bodies.map((body) => ({ method: "POST", headers: jsonHeaders, body }));
  return {
    generator: "autocannon: it takes more of the processor than the servers leave; install wrk for true figures",
    async measure(url, seconds) {
      const { default: autocannon } = await import("autocannon");
      const result = await autocannon({ url, connections, duration: seconds, requests });
      requireNoFailure(url, result.non2xx + result.errors);
      return {
        answered: result.requests.total,
        perSecond: result.requests.total / result.duration,
        p50Ms: result.latency.p50,
        p99Ms: result.latency.p99,
      };
    },
  };
}

function requireNoFailure(url: string, failed: number): void {
  if (failed > 0) throw new Error(`${failed} requests to ${url} failed.`);
}
