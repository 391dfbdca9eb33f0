import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { type BuiltAction, listActions, listPages, listRoutes } from "../support/build.ts";
import { type JsonSchema, learnActions } from "../support/fuzz/web.ts";
import { type OwnServer, startOwnServer } from "../support/own-server.ts";
import { newSession } from "../support/session.ts";
import { expect, test } from "../support/test.ts";
import { newReseller } from "../support/world.ts";

const MB = 1024 * 1024;
const BUDGET_MB = 50;
const RECEIVE_TIMEOUT_MS = 3_000;
/** A stock Next server looks for slow requests every 30 s. */
const SLOWEST_MS = 35_000;
const PIECE = Buffer.alloc(64 * 1024, "[");

test.describe.configure({ mode: "serial", timeout: 240_000 });

let server: OwnServer;
let session: string;
let adminSession: string;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  const kind = test.info().project.name === "api-next" ? "next" : "server";
  server = await startOwnServer(kind, {
    RECEIVE_TIMEOUT_MS: String(RECEIVE_TIMEOUT_MS),
    DATABASE_POOL_SIZE: "5",
    LOG_LEVEL: "silent",
    // Also what is not the API's counts for its real source here.
    TRUSTED_PROXIES: "",
  });
  const reseller = await newReseller(server.url);
  session = await newSession(reseller.resellerId);
  adminSession = await newSession(null);
  // Modules are loaded and pools filled by the first requests, whoever sends them.
  for (const page of listPages().slice(0, 30)) await fetch(server.url + page, { headers: { cookie: session } });
});

test.afterAll(() => server.stop());

interface Target {
  readonly name: string;
  readonly address: string;
  readonly headers: string;
}

function targetOf({ id, name, page }: BuiltAction): Target {
  return { name, address: page, headers: `Next-Action: ${id}\r\nContent-Type: text/plain;charset=UTF-8\r\n` };
}

/** Everything that takes a request. */
function listTargets(): readonly Target[] {
  const json = "Content-Type: application/json\r\n";
  const addresses = [...listRoutes(), ...listPages(), "/no/such/page", "/api/v1/?endpoint=license.register"];
  return [...addresses.map((address) => ({ name: address, address, headers: json })), ...listActions().map(targetOf)];
}

let peers = 0;

function open(): Socket {
  peers += 1;
  const localAddress = `127.88.${peers >> 8}.${peers & 255}`;
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(server.url).port), localAddress });
  return socket.on("error", () => undefined);
}

function head({ address, headers }: Target, framing: string, cookie = ""): string {
  const sent = cookie === "" ? "" : `Cookie: ${cookie}\r\n`;
  return `POST ${address} HTTP/1.1\r\nHost: desk\r\nConnection: close\r\n${sent}${headers}${framing}\r\n\r\n`;
}

/** Sends a body of so many bytes as fast as it is taken, and returns the status of the answer; null without one. */
async function flood(target: Target, bytes: number, chunked: boolean): Promise<number | null> {
  const socket = open().setMaxListeners(0);
  let received = "";
  socket.on("data", (data) => {
    received += data;
  });
  socket.write(head(target, chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${bytes}`));
  const piece = chunked ? Buffer.concat([Buffer.from("10000\r\n"), PIECE, Buffer.from("\r\n")]) : PIECE;
  for (let sent = 0; sent < bytes && !socket.closed && received === ""; sent += PIECE.length) {
    if (!socket.write(piece)) await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => undefined);
  }
  if (received === "" && !socket.closed) await Promise.race([once(socket, "data"), once(socket, "close")]);
  socket.destroy();
  return statusOf(received);
}

function statusOf(text: string): number | null {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
  return status === undefined ? null : Number(status);
}

function memoryMb(figure: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  return Number(new RegExp(`${figure}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

/** By how much resident memory rose at most meanwhile. */
async function growthOf<Result>(run: () => Promise<Result>): Promise<{ result: Result; growthMb: number }> {
  writeFileSync(`/proc/${server.pid}/clear_refs`, "5");
  const before = memoryMb("VmRSS");
  const result = await run();
  return { result, growthMb: memoryMb("VmHWM") - before };
}

test.skip(process.platform !== "linux", "The figures come from /proc.");

test("too much: whatever it is for, a body of 20 MB is refused, and resident memory rises by at most 50 MB", async () => {
  const targets = listTargets();
  expect(targets.length).toBeGreaterThan(150);
  for (const [index, target] of targets.entries()) {
    const { result, growthMb } = await growthOf(() => flood(target, 20 * MB, index % 2 === 0));
    expect(growthMb, target.name).toBeLessThan(BUDGET_MB);
    expect(`${target.name}: ${result}`).toMatch(/: 4\d\d$/);
  }
});

test("far too much: 200 MB in four requests at once, and everyone else is answered", async () => {
  const [target] = listTargets().filter(({ address }) => address.startsWith("/api/auth/"));
  if (target === undefined) throw new Error("next-auth has no route");
  for (const chunked of [false, true]) {
    const attack = growthOf(() => Promise.all([0, 1, 2, 3].map(() => flood(target, 200 * MB, chunked))));
    const startedMs = performance.now();
    expect((await fetch(`${server.url}/sign-in`)).status).toBe(200);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    const { result, growthMb } = await attack;
    expect(result.map((status) => status ?? 0).filter((status) => status < 400 || status > 499)).toEqual([]);
    expect(growthMb).toBeLessThan(BUDGET_MB);
  }
});

test("too deep: whatever it is for, JSON nested a thousand times is refused", async () => {
  for (const target of listTargets()) {
    const body = "[".repeat(1_000);
    const socket = open();
    socket.write(head(target, `Content-Length: ${body.length}`) + body);
    let received = "";
    socket.on("data", (data) => {
      received += data;
    });
    await once(socket, "close");
    expect(`${target.name}: ${statusOf(received)}`).toMatch(/: 4\d\d$/);
  }
});

test("too slow: whatever it is for, a body that does not arrive is given up, and nobody hangs", async () => {
  const verdicts = await Promise.all(
    listTargets().map(async (target) => {
      const socket = open();
      let received = "";
      socket.on("data", (data) => {
        received += data;
      });
      socket.write(`${head(target, "Content-Length: 1000")}[1,`);
      const startedMs = performance.now();
      await once(socket, "close");
      return { name: target.name, status: statusOf(received) ?? 0, ms: performance.now() - startedMs };
    }),
  );
  const wrong = verdicts.filter(({ status, ms }) => status < 400 || status > 499 || ms > SLOWEST_MS);
  expect(wrong).toEqual([]);
});

const head4 = "product,cycle,ip_address,notes\n";
const LARGEST = 950_000;
const rows = (cell: (index: number) => string) => Array.from({ length: 5_000 }, (_, index) => cell(index)).join("\n");

for (const [what, table] of [
  [
    "5,000 rows with long notes",
    head4 + rows((index) => `control_panel,Monthly,10.1.${index >> 8}.${index & 255},${"n".repeat(160)}`),
  ],
  ["5,000 rows that make no sense", head4 + rows((index) => `${"p".repeat(185)},${index}`)],
  ["delimiters", head4 + ",".repeat(LARGEST)],
  ["line ends", head4 + "\n".repeat(LARGEST / 2)],
  ["blank lines", head4 + " \n".repeat(LARGEST / 3)],
  ["quotes", head4 + '"'.repeat(LARGEST / 2)],
  ["signs of formulas", head4 + "\t=".repeat(LARGEST / 3)],
  ["one line", "x".repeat(LARGEST)],
  ["characters of three bytes", head4 + "☂".repeat(LARGEST / 4)],
] as const) {
  test(`an import of a megabyte of ${what} takes moments and at most 50 MB`, async () => {
    const action = listActions().find(({ name }) => name.endsWith("import/actions.ts checkImport"));
    if (action === undefined) throw new Error("there is no import");
    // What the first import loads and compiles stays, whatever is in it.
    const small = `${head4}control_panel,Monthly,10.1.0.1,\n`.concat(" \n".repeat(10));
    for (let warmUp = 0; warmUp < 20; warmUp++) expect(await act(action, session, [{ text: small }])).toBe(200);
    const startedMs = performance.now();
    const { result, growthMb } = await growthOf(() => act(action, session, [{ text: table }]));
    expect(result).toBe(200);
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    expect(growthMb).toBeLessThan(BUDGET_MB);
  });
}

async function act({ id, page }: BuiltAction, cookie: string, args: unknown): Promise<number> {
  const answer = await fetch(server.url + page, {
    method: "POST",
    headers: { cookie, "next-action": id, "content-type": "text/plain;charset=UTF-8", accept: "text/x-component" },
    body: JSON.stringify(args),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Every name that a schema gives a field, however deep. */
function listFields({ properties = {}, anyOf, oneOf, allOf }: JsonSchema): string[] {
  const parts = [...Object.values(properties), ...[anyOf, oneOf, allOf].flatMap((list) => list ?? [])];
  return [...Object.keys(properties), ...parts.flatMap(listFields)];
}

/** What a page may have bound. */
function boundValues({ properties = {} }: JsonSchema): object {
  const valueFor = ({ type, anyOf }: JsonSchema) => (anyOf ? null : type === "integer" ? 1 : "192.0.2.7");
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueFor(schema)]));
}

test("200,000 digits in every field of every server action block nobody", async () => {
  const learned = learnActions();
  const digits = "9".repeat(200_000);
  const seen = new Set<string>();
  for (const action of listActions()) {
    const { bound, input } = Object.fromEntries((learned[action.name] ?? []).map(({ name, schema }) => [name, schema]));
    // One field at a time: the body's own limit is not what is tested.
    for (const field of new Set(listFields(input ?? {}))) {
      seen.add(field);
      const leaf = { [field]: digits };
      const sent = { ...leaf, agreed: { count: 1, ...leaf }, rule: leaf };
      for (const cookie of [session, adminSession]) {
        const startedMs = performance.now();
        const status = await act(action, cookie, [...(bound ? [boundValues(bound)] : []), sent, "key"]);
        expect(performance.now() - startedMs, `${action.name} ${field}`).toBeLessThan(2_000);
        expect(status, `${action.name} ${field}`).toBeLessThan(600);
      }
    }
  }
  expect([...seen]).toEqual(expect.arrayContaining(["agreedTotal", "amount", "price", "total"]));
});
