import { hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isLoopback } from "#lib/domain/loopback.ts";
import { getRuntime } from "#lib/runtime.ts";
import { createReadiness, type ReadinessCheck } from "./readiness.ts";

/** Answers a request for a probe or the metrics; false if it is for something else. */
export type Monitoring = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface MonitoringOptions {
  /** Null: only this machine may read the metrics. */
  readonly metricsToken: string | null;
  /** Aborted once the process shuts down. */
  readonly shutdown: AbortSignal | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

const METHODS = ["GET", "HEAD"];
const FORWARDING_HEADERS = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];
const json = { "Content-Type": "application/json" };
const notFound: Answer = { status: 404, headers: json, body: '{"status":"not_found"}\n' };

/**
 * Answers `/healthz`, `/readyz` and `/metrics` before Next and the API, on our own server and on a stock Next server.
 * Probes need no key and are not counted against the limit of a source.
 */
export function createMonitoring({ metricsToken, shutdown }: MonitoringOptions): Monitoring {
  const draining: ReadinessCheck = { check: "shutdown", status: "failed", reason: "shutting down" };
  // Reads the environment at the first request, when it is complete.
  let readiness: ReturnType<typeof createReadiness> | null = null;

  const answers: Readonly<Record<string, (request: IncomingMessage) => Promise<Answer>>> = {
    "/healthz": async () => ({ status: 200, headers: json, body: '{"status":"ok"}\n' }),
    async "/readyz"() {
      readiness ??= createReadiness();
      const checks = shutdown?.aborted ? [draining] : [...(await readiness()), { check: "shutdown", status: "ok" }];
      const isReady = checks.every(({ status }) => status !== "failed");
      const body = `${JSON.stringify({ status: isReady ? "ready" : "not_ready", checks })}\n`;
      return { status: isReady ? 200 : 503, headers: json, body };
    },
    async "/metrics"(request) {
      const refusal = refuseReader(request, metricsToken);
      if (refusal) return refusal;
      const { metrics } = getRuntime();
      return { status: 200, headers: { "Content-Type": metrics.registry.contentType }, body: await metrics.render() };
    },
  };

  return (request, response) => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (!answer) return false;
    request.resume();
    const isKnownMethod = METHODS.includes(request.method ?? "");
    const answered = isKnownMethod ? answer(request) : Promise.resolve(wrongMethod);
    void answered.catch(failed).then(({ status, headers, body }) => {
      const length = { "Content-Length": Buffer.byteLength(body) };
      response.writeHead(status, {
        ...headers,
        ...length,
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
      });
      response.end(request.method === "HEAD" ? undefined : body);
    });
    return true;
  };
}

const wrongMethod: Answer = {
  status: 405,
  headers: { ...json, Allow: METHODS.join(", ") },
  body: '{"status":"method_not_allowed"}\n',
};

function failed(error: unknown): Answer {
  getRuntime().log.error({ err: error }, "monitoring failed");
  return { status: 500, headers: json, body: '{"status":"internal"}\n' };
}

/** Without a token to know, `/metrics` does not exist for other machines. With one, they are asked for it. */
function refuseReader(request: IncomingMessage, token: string | null): Answer | null {
  if (isFromThisMachine(request)) return null;
  if (token === null) return notFound;
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (isSame(given, token)) return null;
  return { status: 401, headers: { ...json, "WWW-Authenticate": "Bearer" }, body: '{"status":"unauthorized"}\n' };
}

/** A proxy on this machine adds a header or passes on the public host, and a page under another name has that as host. */
function isFromThisMachine({ headers, socket }: IncomingMessage): boolean {
  const host = (headers.host ?? "").replace(/:\d{1,5}$/, "");
  return (
    isLoopback((socket.remoteAddress ?? "").replace(/^::ffff:/, "")) &&
    isLoopback(host) &&
    FORWARDING_HEADERS.every((name) => headers[name] === undefined)
  );
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => hash("sha256", text, "buffer"));
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
