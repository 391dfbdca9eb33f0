import { hash } from "node:crypto";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const [compressByBrotli, compressByGzip] = [promisify(brotliCompress), promisify(gzip)];

const FOLDER = join(".next", "static");
const PREFIX = "/_next/static/";
const typeOf = (path: string) =>
  path.endsWith(".js") ? "application/javascript; charset=UTF-8" : "text/css; charset=UTF-8";
const compressible = /\.(?:js|css)$/;
const accepts = (encoding: string) =>
  new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:$|,|;\\s*q=(?:0\\.\\d{0,2}[1-9]|1))`, "i");
const acceptsGzip = accepts("gzip");
const acceptsBrotli = accepts("br");

interface Compressed {
  readonly bytes: Buffer;
  readonly encoding: "br" | "gzip";
  readonly etag: string;
}

/** Answers a request for a static file; false if Next has to. */
export type StaticFiles = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * For the end of a build: writes each script and style sheet compressed by Brotli beside it, an eighth smaller than by
 * gzip. It takes too long for a request. Files that an interrupted build lacks are sent by gzip.
 */
export async function compressStaticFiles(root: string, signal?: AbortSignal): Promise<void> {
  const folder = join(root, FOLDER);
  for (const name of (await readdir(folder, { recursive: true })).filter((path) => compressible.test(path))) {
    signal?.throwIfAborted();
    const path = join(folder, name);
    await writeFile(`${path}.unfinished`, await compressByBrotli(await readFile(path)));
    await rename(`${path}.unfinished`, `${path}.br`);
  }
}

/**
 * The build's scripts and style sheets, compressed, from their first request on kept in memory. Next compresses them on
 * every request; it still answers ranges, other files, and clients that do not accept gzip.
 */
export async function openStaticFiles(root: string): Promise<StaticFiles> {
  const folder = join(root, FOLDER);
  const paths = new Set(await readdir(folder, { recursive: true }));
  const urlOf = (path: string) => PREFIX + path.replaceAll("\\", "/");
  const urls = new Map([...paths].filter((path) => compressible.test(path)).map((path) => [urlOf(path), path]));
  const files = new Map<string, Promise<Compressed | null>>();

  const load = async (path: string): Promise<Compressed> => {
    const content = await readFile(join(folder, path));
    const isBrotli = path.endsWith(".br");
    const bytes = isBrotli ? content : await compressByGzip(content, { level: constants.Z_BEST_COMPRESSION });
    return { bytes, encoding: isBrotli ? "br" : "gzip", etag: `"${hash("sha256", bytes, "base64url")}"` };
  };

  return async ({ url = "", method, headers }, response) => {
    const source = urls.get(url);
    const isWhole = (method === "GET" || method === "HEAD") && headers.range === undefined;
    if (source === undefined || !isWhole) return false;
    const accepted = String(headers["accept-encoding"] ?? "");
    const isBrotli = paths.has(`${source}.br`) && acceptsBrotli.test(accepted);
    if (!isBrotli && !acceptsGzip.test(accepted)) return false;
    const path = isBrotli ? `${source}.br` : source;
    const loading = files.get(path) ?? load(path).catch(() => null);
    files.set(path, loading);
    const file = await loading;
    if (file === null) return false;
    response.setHeader("Cache-Control", "public, max-age=31536000, immutable");
    response.setHeader("ETag", file.etag);
    response.setHeader("Vary", "Accept-Encoding");
    if (headers["if-none-match"]?.includes(file.etag)) {
      response.writeHead(304).end();
    } else {
      const content = {
        "Content-Type": typeOf(url),
        "Content-Encoding": file.encoding,
        "Content-Length": file.bytes.length,
      };
      response.writeHead(200, content).end(file.bytes);
    }
    return true;
  };
}
