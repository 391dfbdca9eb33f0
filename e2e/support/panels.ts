import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { type Reseller, reconcile } from "./world.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");

/** Runs the first commands of an integration's README, and adds the harness that plays the panel, if there is one. */
export async function installPanel(name: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const readme = readFileSync(join(root, "integrations", name, "README.md"), "utf8");
  const [, commands = ""] = /```sh\n([\s\S]*?)```/.exec(readme) ?? [];
  await run("sh", ["-ec", commands.replaceAll(`/path/to/${name}`, folder)], { cwd: root });
  const harness = join(root, "e2e", "panels", name);
  if (existsSync(harness)) cpSync(harness, folder, { recursive: true });
}

/** Runs one process of the panel; standard input and output are JSON. */
export async function runPanel(folder: string, task: object, script = "run.php"): Promise<unknown> {
  const child = spawn("php", [join(folder, script)], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(task));
  const [output] = await Promise.all([child.stdout.toArray(), once(child, "exit")]);
  return JSON.parse(Buffer.concat(output).toString("utf8"));
}

/** The same on a page that somebody waits for. */
export async function servePanel(folder: string, task: object): Promise<unknown> {
  const { process, url } = await servePhp(join(folder, "run.php"));
  try {
    return await (await fetch(url, { method: "POST", body: JSON.stringify(task) })).json();
  } finally {
    process.kill();
  }
}

export async function servePhp(...options: readonly string[]): Promise<{ process: ChildProcess; url: string }> {
  const host = `127.0.0.1:${await findFreePort()}`;
  const process = spawn("php", ["-S", host, ...options], { stdio: ["ignore", "ignore", "pipe"] });
  await once(process.stderr ?? process, "data");
  return { process, url: `http://${host}` };
}

/** Creates a webhook endpoint, stores its secret in the panel and verifies it. */
export async function connectWebhook(
  { path }: Reseller,
  url: string,
  store: (secret: string) => void,
): Promise<string> {
  const created = await path.post("/webhook-endpoints", { url, events: ["operation.settled"] });
  const { id, secret } = created.body as unknown as { readonly id: string; readonly secret: string };
  store(secret);
  await path.post(`/webhook-endpoints/${id}/verify`, {});
  for (let attempts = 0; (await path.get(`/webhook-endpoints/${id}`)).body.status !== "active"; attempts++) {
    if (attempts > 150) throw new Error("the panel did not answer the challenge");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return secret;
}

/** Sends an event that License Desk did not sign. */
export function sendForgedEvent(url: string): Promise<Response> {
  const headers = {
    "webhook-id": "evt_forged",
    "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
    "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}`,
  };
  const body = JSON.stringify({ event: "operation.settled", timestamp: "2027-02-01T12:00:00Z", data: {} });
  return fetch(url, { method: "POST", headers, body });
}

export async function balanceOf({ dispatch }: Reseller): Promise<number> {
  return Number((await dispatch.get("balance")).body.data.balance);
}

interface Listed {
  readonly id: string;
  readonly status: string;
}

export async function licensesOf({ path }: Reseller): Promise<readonly Listed[]> {
  return (await path.get("/licenses")).body.licenses as unknown as readonly Listed[];
}

/** The provider reports the outcome of what is pending. */
export async function settlePending(reseller: Reseller): Promise<void> {
  for (const { id } of await licensesOf(reseller)) {
    const { operation_id } = (await reseller.dispatch.get("license.info", { license_id: Number(id.slice(4)) })).body
      .data;
    if (operation_id !== undefined) await reconcile(String(operation_id));
  }
}
