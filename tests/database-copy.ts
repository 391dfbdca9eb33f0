import { randomUUID } from "node:crypto";
import pg from "pg";

export type TestDatabase = { url: string; drop(): Promise<void> };

function databaseAt(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

async function runOnServer(templateUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseAt(templateUrl, "postgres") });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Copies a database, which must have no connections. `drop` ends all connections to the copy. */
export async function copyTestDatabase(templateUrl: string): Promise<TestDatabase> {
  const template = new URL(templateUrl).pathname.slice(1);
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await runOnServer(templateUrl, `create database ${name} template ${template}`);
  return {
    url: databaseAt(templateUrl, name),
    drop: () => runOnServer(templateUrl, `drop database if exists ${name} with (force)`),
  };
}
