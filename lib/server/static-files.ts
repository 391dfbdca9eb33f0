import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

const compress = promisify(gzip);

const FOLDER = join(".next", "static");
const PREFIX = "/_next/static/";
const typeOf = (path: string) =>
  path.endsWith(".js") ? "application/javascript; charset=UTF-8" : "text/css; charset=UTF-8";
const compressible = /\.(?:js|css)$/;
const acceptsGzip = /(?:^|,)\s*gzip\s*(?:$|,|;\s*q=(?:0\.\d{0,2}[1-9]|1))/i;

interface Compressed {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Answers a request for a static file; false if Next has to. */
export type StaticFiles = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * The build's scripts and style sheets, compressed on their first request and kept in memory. Next compresses them on
 * every request; it still answers ranges, other files, and clients that do not accept gzip.
 */
export async function openStaticFiles(root: string): Promise<StaticFiles> {
  const folder = join(root, FOLDER);
  const paths = (await readdir(folder, { recursive: true })).filter((path) => compressible.test(path));
  const urls = new Map(paths.map((path) => [PREFIX + path.replaceAll("\\", "/"), join(folder, path)]));
  const files = new Map<string, Promise<Compressed | null>>();

  const load = async (path: string): Promise<Compressed> => {
    const bytes = await compress(await readFile(path), { level: constants.Z_BEST_COMPRESSION });
    return { bytes, etag: `"${hash("sha256", bytes, "base64url")}"` };
  };

  return async ({ url = "", method, headers }, response) => {
    const path = urls.get(url);
    const isWhole = (method === "GET" || method === "HEAD") && headers.range === undefined;
    if (path === undefined || !isWhole || !acceptsGzip.test(String(headers["accept-encoding"] ?? ""))) return false;
    const loading = files.get(url) ?? load(path).catch(() => null);
    files.set(url, loading);
    const file = await loading;
    if (file === null) return false;
    response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
    response.setHeader("ETag", file.etag);
    response.setHeader("Vary", "Accept-Encoding");
    if (headers["if-none-match"]?.includes(file.etag)) {
      response.writeHead(304).end();
    } else {
      const content = { "Content-Type": typeOf(url), "Content-Encoding": "gzip", "Content-Length": file.bytes.length };
      response.writeHead(200, content).end(file.bytes);
    }
    return true;
  };
}
