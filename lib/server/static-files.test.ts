import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { compressStaticFiles, openStaticFiles } from "./static-files.ts";

const root = mkdtempSync(join(tmpdir(), "license-desk-static-"));
const chunks = join(root, ".next", "static", "chunks");
const SCRIPT = "const words = 1;\n".repeat(500);
const URL = "/_next/static/chunks/a.js";
const NEXT = 599;
let server: Server;

beforeAll(async () => {
  mkdirSync(chunks, { recursive: true });
  writeFileSync(join(chunks, "a.js"), SCRIPT);
  writeFileSync(join(chunks, "b.css"), "p{}");
  writeFileSync(join(chunks, "font.woff2"), "font");
  writeFileSync(join(chunks, "gone.js"), "gone");
  const answer = await openStaticFiles(root);
  rmSync(join(chunks, "gone.js"));
  server = createServer(async (req, res) => {
    if (!(await answer(req, res))) res.writeHead(NEXT).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.close();
  rmSync(root, { recursive: true });
});

async function serve(folder: string): Promise<Server> {
  const answer = await openStaticFiles(folder);
  const other = createServer((req, res) => void answer(req, res));
  onTestFinished(() => void other.close());
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  return other;
}

async function ask(path: string, headers: Record<string, string> = {}, method = "GET", at = server) {
  const { port } = at.address() as AddressInfo;
  const asked = request({ port, path, method, headers: { "accept-encoding": "gzip, deflate, br", ...headers } }).end();
  const response = await new Promise<import("node:http").IncomingMessage>((resolve) => asked.once("response", resolve));
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

test("a script is sent compressed, with its size, type and tag, and for ever", async () => {
  const { status, headers, body } = await ask(URL);
  expect(gunzipSync(body).toString()).toBe(SCRIPT);
  expect({ status, ...headers }).toMatchObject({
    status: 200,
    "content-type": "application/javascript; charset=UTF-8",
    "content-encoding": "gzip",
    "content-length": String(body.length),
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
    etag: expect.stringMatching(/^"[\w-]{43}"$/),
  });
  expect((await ask("/_next/static/chunks/b.css")).headers["content-type"]).toBe("text/css; charset=UTF-8");
});

test("a client that accepts Brotli gets what the build has compressed; others gzip, by the same address", async () => {
  mkdirSync(join(root, "built", ".next", "static"), { recursive: true });
  writeFileSync(join(root, "built", ".next", "static", "a.js"), SCRIPT);
  await compressStaticFiles(join(root, "built"));
  const built = await serve(join(root, "built"));
  const brotli = await ask("/_next/static/a.js", {}, "GET", built);
  const gzip = await ask("/_next/static/a.js", { "accept-encoding": "gzip, br;q=0" }, "GET", built);
  expect(brotliDecompressSync(brotli.body).toString()).toBe(SCRIPT);
  expect(gunzipSync(gzip.body).toString()).toBe(SCRIPT);
  expect([brotli.headers["content-encoding"], gzip.headers["content-encoding"]]).toEqual(["br", "gzip"]);
  expect(brotli.headers.etag).not.toBe(gzip.headers.etag);
  expect(brotli.headers.vary).toBe("Accept-Encoding");
});

test("what a full disk cuts off is not sent: the script is, by gzip", async () => {
  const full = join(root, "full");
  const script = `"${randomBytes(50_000).toString("base64")}"`;
  mkdirSync(join(full, ".next", "static"), { recursive: true });
  writeFileSync(join(full, ".next", "static", "a.js"), script);
  const compress = `await (await import(process.argv[1])).compressStaticFiles(process.argv[2])`;
  const limited = `ulimit -f 16; exec "$0" --input-type=module --eval '${compress}' "$1" "$2"`;
  const program = join(import.meta.dirname, "static-files.ts");
  expect(spawnSync("sh", ["-c", limited, process.execPath, program, full]).stderr.toString()).toContain("EFBIG");
  const { headers, body } = await ask("/_next/static/a.js", {}, "GET", await serve(full));
  expect(headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(body).toString()).toBe(script);
});

test("a script is read and compressed once", async () => {
  const { body } = await ask(URL);
  writeFileSync(join(chunks, "a.js"), "changed");
  expect((await ask(URL)).body).toEqual(body);
});

test("HEAD has the headers without the content, and a known tag gets 304", async () => {
  const whole = await ask(URL);
  const head = await ask(URL, {}, "HEAD");
  expect({ status: head.status, bytes: head.body.length, length: head.headers["content-length"] }).toEqual({
    status: 200,
    bytes: 0,
    length: String(whole.body.length),
  });
  const known = await ask(URL, { "if-none-match": `"other", ${whole.headers.etag}` });
  expect([known.status, known.body.length, known.headers.etag]).toEqual([304, 0, whole.headers.etag]);
  expect((await ask(URL, { "if-none-match": '"other"' })).status).toBe(200);
});

test.each([
  ["a range", URL, { range: "bytes=0-9" }],
  ["a client without gzip", URL, { "accept-encoding": "br" }],
  ["a client that refuses gzip", URL, { "accept-encoding": "gzip;q=0, br" }],
  ["a file that is compressed already", "/_next/static/chunks/font.woff2", {}],
  ["a file that is not of the build", "/_next/static/chunks/c.js", {}],
  ["a file that is gone", "/_next/static/chunks/gone.js", {}],
  ["a path out of the folder", "/_next/static/../static/chunks/a.js", {}],
])("%s is left to Next", async (_, path, headers) => {
  expect((await ask(path, headers)).status).toBe(NEXT);
});
