import { spawn } from "node:child_process";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "@playwright/test";
import { findFreePort } from "#lib/embedded/free-port.ts";
import type { Answer, RawRequest } from "./http.ts";

const root = join(import.meta.dirname, "..", "..");
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 50;
const API = "/api/v1";
const DISPATCH = "/dispatch/";

export interface Relay {
  readonly url: string;
  stop(): Promise<void>;
}

/** A body of an operation without parameters is ignored. */
const IGNORED = "No supported content types, but request included a non-empty body";

interface Violation {
  /** `request` or `response`, then the way to the value. */
  readonly location: readonly string[];
  readonly message: string;
}

/** The address that the document gives a request (contract, "Dispatch interface"); as sent, if it gives none. */
function documentedTarget(target: string): string {
  const url = new URL(target, "http://api.test");
  const endpoint = url.searchParams.get("endpoint");
  if (endpoint === null || (url.pathname !== API && url.pathname !== `${API}/`)) return target.replace(API, "");
  url.searchParams.delete("endpoint");
  return `${DISPATCH}${endpoint}${url.search}`;
}

/** Reverts `documentedTarget`. */
function sentTarget(target: string): string {
  if (!target.startsWith(DISPATCH)) return `${API}${target}`;
  const url = new URL(target, "http://api.test");
  const endpoint = url.pathname.slice(DISPATCH.length);
  return `${API}/?endpoint=${endpoint}${url.search.replace("?", "&")}`;
}

function forward(request: IncomingMessage, response: ServerResponse, upstream: string): void {
  const { method, headers } = request;
  const onward = httpRequest(upstream, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  request.pipe(onward);
}

async function startRelay(baseUrl: string, toTarget: (target: string) => string): Promise<Relay> {
  const server = createServer((request, response) => forward(request, response, baseUrl + toTarget(request.url ?? "")));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function startPrism(document: string, upstream: string): Promise<Relay> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const cli = createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js");
  const options = ["--port", String(port), "--cors=false", "--multiprocess=false", "--verboseLevel=silent"];
  const child = spawn(process.execPath, [cli, "proxy", document, upstream, ...options], { stdio: "ignore" });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.kill();
    await exited;
  };
  for (const deadline = Date.now() + START_TIMEOUT_MS; child.exitCode === null; await sleep(POLL_MS)) {
    if (await fetch(url).catch(() => null)) return { url, stop };
    if (Date.now() > deadline) await stop();
  }
  throw new Error("prism did not start");
}

/** Prism as a validating proxy between the tests and the server; the document calls operations by other addresses. */
export async function startValidatingProxy(
  serverUrl: string,
  document = join(root, "public", "api", "openapi.json"),
): Promise<Relay> {
  const behind = await startRelay(serverUrl, sentTarget);
  const prism = await startPrism(document, behind.url);
  const before = await startRelay(prism.url, documentedTarget);
  return {
    url: before.url,
    async stop() {
      for (const part of [before, prism, behind]) await part.stop();
    },
  };
}

/** What prism found in a request and its response, if they passed it. Requests that the server rejects may be anything. */
export function violationsOf({ status, headers }: Answer): readonly string[] {
  const found = headers["sl-violations"];
  if (found === undefined) return [];
  return (JSON.parse(String(found)) as Violation[])
    .filter(({ location, message }) => location[0] === "response" || (status < 400 && message !== IGNORED))
    .map(({ location, message }) => `${location.join(".")}: ${message}`);
}

export function expectNoViolations({ method, target }: RawRequest, answer: Answer): void {
  expect(violationsOf(answer), `${method} ${target} → ${answer.status} ${answer.text.slice(0, 200)}`).toEqual([]);
}
