/** A server under load runs in its own process. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "#lib/embedded/free-port.ts";

const READY_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 25;

export interface ChildServer {
  readonly url: string;
  readonly pid: number;
  /** Takes no processor time until it is resumed. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** Starts a program that listens on `PORT` of 127.0.0.1. @throws Error if it exits or does not listen in time. */
export async function startChildServer(
  args: (port: number) => readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ChildServer> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [...process.execArgv, ...args(port)], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...environment, PORT: String(port), NODE_ENV: "production" },
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const pause = () => void child.kill("SIGSTOP");
  const resume = () => void child.kill("SIGCONT");
  const stop = () => {
    resume();
    return stopChild(child, exited);
  };
  for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    if (child.exitCode !== null) break;
    if (await isListening(port)) return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, pause, resume, stop };
  }
  await stop();
  throw new Error(`${args(port).join(" ")} does not listen: see above.`);
}

/** Node's options in `npm start`. */
export function optionsOfNpmStart(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8"));
  return String(scripts.start)
    .split(" ")
    .filter((word) => word.startsWith("--"));
}

async function stopChild(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const kill = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(kill);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("close", () => socket.destroy());
    socket.once("connect", () => socket.destroy());
  });
}
