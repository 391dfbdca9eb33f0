import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { SESSION_TIMEOUTS } from "#lib/db/connection/client.ts";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { findOrInstallCommand } from "../../scripts/shells.ts";

export interface PgBouncer {
  readonly url: string;
  /** It dies, and another takes its place. */
  replace(): Promise<void>;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const withTimeouts = Object.entries(SESSION_TIMEOUTS)
  .map(([name, ms]) => `set ${name} = ${ms}`)
  .join("; ");

/**
 * PgBouncer in transaction mode in front of a database, with few connections of its own. Null where it neither is nor
 * can be installed.
 */
export async function startPgBouncer(databaseUrl: string, connectQuery = withTimeouts): Promise<PgBouncer | null> {
  const program = findOrInstallCommand("pgbouncer");
  if (program === null) return null;
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
  const port = await findFreePort();
  const dir = mkdtempSync(join(tmpdir(), "license-desk-pgbouncer-"));
  chmodSync(dir, 0o755);
  const file = join(dir, "pgbouncer.ini");
  const query = connectQuery === "" ? "" : ` connect_query='${connectQuery}'`;
  writeFileSync(
    file,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${serverPort} user=${username} password=${password}${query}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 200
server_login_retry = 1
`,
  );
  const url = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(port) }).href;
  // It refuses to run as root.
  const start = async () => {
    const child = spawn(program, [...(process.getuid?.() === 0 ? ["-u", "nobody"] : []), file], { stdio: "ignore" });
    for (const deadline = Date.now() + START_TIMEOUT_MS; !(await answers(url)); await sleep(50)) {
      if (Date.now() > deadline || child.exitCode !== null) throw new Error("PgBouncer did not start.");
    }
    return child;
  };
  let child = await start();
  const kill = async () => {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return {
    url,
    async replace() {
      await kill();
      child = await start();
    },
    async close() {
      await kill();
      rmSync(dir, { recursive: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
