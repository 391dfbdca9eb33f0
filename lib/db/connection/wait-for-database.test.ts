import { connect, createServer, type Server } from "node:net";
import { afterEach, expect, inject, test } from "vitest";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { startDatabaseProxy } from "#tests/faults/database-proxy.ts";
import { waitForDatabase } from "./wait-for-database.ts";

const databaseUrl = inject("templateDatabaseUrl");
let server: Server | null = null;
afterEach(() => void server?.close());

/** The response of a PostgreSQL that starts or recovers. */
function errorResponse(sqlState: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0Mthe database system is starting up\0\0`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(fields.length + 4);
  return Buffer.concat([Buffer.from("E"), length, fields]);
}

/** Rejects some connections, then forwards to the real database. */
async function listen(port: number, refusals: number): Promise<void> {
  const { hostname, port: realPort } = new URL(databaseUrl);
  let refused = 0;
  server = createServer((client) => {
    client.on("error", () => {});
    if (refused < refusals) {
      refused += 1;
      client.once("data", () => client.end(errorResponse("57P03")));
      return;
    }
    const upstream = connect(Number(realPort), hostname).on("error", () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server?.listen(port, "127.0.0.1", resolve));
}

async function urlAt(port: number): Promise<string> {
  return Object.assign(new URL(databaseUrl), { port: String(port) }).href;
}

async function wait(url: string, change: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {}) {
  const lines: string[] = [];
  const options = {
    databaseUrl: url,
    timeoutMs: 10_000,
    pollMs: 20,
    log: (line: string) => lines.push(line),
    ...change,
  };
  const error = await waitForDatabase(options).then(
    () => null,
    (reason: Error) => reason,
  );
  return { lines, error };
}

test("a responding database is used immediately, without a log line", async () => {
  expect(await wait(databaseUrl)).toEqual({ lines: [], error: null });
});

test("a database that is starting up is waited for, with one line", async () => {
  const port = await findFreePort();
  await listen(port, 5);
  const { lines, error } = await wait(await urlAt(port));
  expect(error).toBeNull();
  expect(lines).toEqual([
    `Waiting up to 10 s for the database at 127.0.0.1:${port}: the database system is starting up (57P03).`,
  ]);
});

test("a database that does not listen yet is waited for, with one line", async () => {
  const port = await findFreePort();
  const waiting = wait(await urlAt(port));
  setTimeout(() => void listen(port, 0), 300);
  const { lines, error } = await waiting;
  expect(error).toBeNull();
  expect(lines).toEqual([expect.stringMatching(/^Waiting up to 10 s for .*ECONNREFUSED/)]);
});

test("a silent database is waited for, too", async () => {
  const proxy = await startDatabaseProxy(databaseUrl);
  proxy.freeze();
  const { error } = await wait(proxy.url, { timeoutMs: 100 });
  expect(error?.message).toMatch(/did not answer within 0\.1 s: timeout expired/);
  await proxy.close();
});

test("the wait is bounded, and ends with one line that says what to do, without the password", async () => {
  const port = await findFreePort();
  const { lines, error } = await wait(await urlAt(port), { timeoutMs: 1_000 });
  expect(lines).toHaveLength(1);
  expect(error?.message).toMatch(
    /^The database at 127\.0\.0\.1:\d+ did not answer within 1 s: .*ECONNREFUSED.*start again\.$/,
  );
  expect([...lines, error?.message].join("\n")).not.toContain(new URL(databaseUrl).password);
});

test("a permanent error fails immediately", async () => {
  const wrong = Object.assign(new URL(databaseUrl), { password: "guessed" }).href;
  const { lines, error } = await wait(wrong);
  expect(lines).toEqual([]);
  expect(error?.message).toMatch(/^The database at [^ ]+ refuses the connection: password authentication failed/);
});

test("a host that nobody knows is named when the wait ends", async () => {
  const unknown = Object.assign(new URL(databaseUrl), { hostname: "database.invalid" }).href;
  const { error } = await wait(unknown, { timeoutMs: 100 });
  expect(error?.message).toMatch(
    /^The database at database\.invalid:\d+ did not answer within 0\.1 s: .*(ENOTFOUND|EAI_AGAIN)/,
  );
});

test("a server without TLS is not used if the address requires it", async () => {
  const { error } = await wait(`${databaseUrl}?sslmode=verify-full`);
  expect(error?.message).toMatch(/refuses the connection: The server does not support SSL connections\.$/);
});

test("a signal to stop ends the wait", async () => {
  const port = await findFreePort();
  const started = performance.now();
  const { error } = await wait(await urlAt(port), { signal: AbortSignal.timeout(200) });
  expect(error?.name).toMatch(/AbortError|TimeoutError/);
  expect(performance.now() - started).toBeLessThan(5_000);
});
