/** Child programs of the proof and their first messages. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Whether a child sent its first message before it ended. */
export async function isReady(child: ChildProcess): Promise<boolean> {
  const answers = await Promise.race([once(child, "message"), once(child, "exit").then(() => null)]);
  return answers !== null;
}

export async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("no output to read");
  const lines = createInterface({ input: child.stdout });
  const exited = once(child, "exit").then(() => Promise.reject(new Error("it ended before it was ready")));
  exited.catch(() => undefined);
  const [line] = await Promise.race([once(lines, "line"), exited]);
  return String(line);
}
