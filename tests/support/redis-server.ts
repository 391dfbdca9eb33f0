import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { findOrInstallCommand } from "../../scripts/shells.ts";

/** A Redis in memory, which tests stop and wake up. */
export interface RedisServer {
  readonly url: string;
  /** It keeps its connections and answers nothing. */
  freeze(): void;
  wakeUp(): void;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** Null where Redis neither is nor can be installed. */
export async function startRedis(): Promise<RedisServer | null> {
  const program = findOrInstallCommand("redis-server");
  if (program === null) return null;
  const port = await findFreePort();
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = spawn(program, options, { stdio: "ignore" });
  for (const deadline = Date.now() + START_TIMEOUT_MS; !(await answers(port)); await sleep(20)) {
    if (Date.now() > deadline) throw new Error("Redis did not start.");
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => void child.kill("SIGSTOP"),
    wakeUp: () => void child.kill("SIGCONT"),
    async close() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
