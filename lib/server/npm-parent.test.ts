import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const program = `
  import { onNpmEnded } from "./lib/server/npm-parent.ts";
  onNpmEnded(() => process.exit(0));
  setTimeout(() => process.exit(1), 6_000);
  console.log("ready");
  process.on("exit", (code) => console.log(code));`;

/** Last output of a process whose shell is killed, like npm's by a signal. */
async function readFinalOutput(lifecycleEvent: string): Promise<string> {
  const shell = spawn("sh", ["-c", '"$NODE" --input-type=module -e "$PROGRAM"; true'], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE: process.execPath, PROGRAM: program, npm_lifecycle_event: lifecycleEvent },
  });
  let output = "";
  shell.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await once(shell.stdout, "data");
  shell.kill("SIGKILL");
  await once(shell.stdout, "close");
  return output.trim().split("\n").at(-1) ?? "";
}

test("a server started by `npm start` ends with npm; one started without npm outlives its shell", async () => {
  expect(await Promise.all([readFinalOutput("start"), readFinalOutput("")])).toEqual(["0", "1"]);
});
