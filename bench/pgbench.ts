/** PostgreSQL's own benchmark, similar to TPC-B, in a separate database. Comes with PostgreSQL's packages. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import pg from "pg";

const DATABASE = "pgbench";
/** At least as many branches as clients, or clients wait for one another. */
const SCALE = 50;
const run = promisify(execFile);

function urlOf(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${DATABASE}`;
  return url.href;
}

/** @throws Error if pgbench is not installed. */
export async function preparePgbench(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
  await run("pgbench", ["--initialize", "--quiet", `--scale=${SCALE}`, urlOf(databaseUrl)]).catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new Error(
      "This row compares with pgbench: install PostgreSQL's client programs (Debian: postgresql-contrib).",
    );
  });
}

export async function measurePgbench(databaseUrl: string, clients: number, seconds: number) {
  const settings = [`--client=${clients}`, "--jobs=1", `--time=${seconds}`, "--protocol=prepared", "--no-vacuum"];
  const { stdout } = await run("pgbench", [...settings, urlOf(databaseUrl)]);
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
  const averageMs = Number(/^latency average = ([\d.]+) ms/m.exec(stdout)?.[1]);
  if (!(perSecond > 0)) throw new Error(`pgbench reported no throughput:\n${stdout}`);
  // Percentiles would need a log of every transaction.
  return { perSecond, p50Ms: averageMs, p99Ms: Number.NaN };
}
