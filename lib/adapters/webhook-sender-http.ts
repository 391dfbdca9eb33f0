import { isIP, type LookupFunction } from "node:net";
import { LRUCache } from "lru-cache";
import { Agent, buildConnector, type Dispatcher, request as sendRequest } from "undici";
import { isAllowedTarget, type TargetRules } from "#lib/domain/public-address.ts";
import type { WebhookReply, WebhookRequest, WebhookSender } from "#lib/ports/webhook-sender.ts";
import { BlockedTargetError, describeFailure } from "./webhook-failure.ts";
import { createResolver, type Resolve } from "./webhook-resolver.ts";
import { findRoute, rememberNames } from "./webhook-route.ts";

export interface WebhookSenderOptions {
  readonly rules: TargetRules;
  /** For all of an attempt: name, connection, TLS, request and answer (contract 4.3). */
  readonly timeoutMs?: number;
  readonly resolve?: Resolve;
}

const WEBHOOK_TIMEOUT_MS = 15_000;
const RESPONSE_KEPT_BYTES = 2_048;
/** The verdict is in the status; the rest is only for the log. */
const RESPONSE_WAIT_MS = 2_000;
const RESPONSE_HEADERS_MAX_BYTES = 16 * 1024;
const CONNECTIONS_PER_ORIGIN = 32;
/** Addresses whose connections are kept open for the next request. */
const ADDRESSES_KEPT = 500;

const commonHeaders = {
  "content-type": "application/json",
  "user-agent": "License-Desk-Webhooks/1.0",
  // What is not asked for compressed is shown as it came: nothing here ever decompresses.
  "accept-encoding": "identity",
};

/**
 * Sends webhooks over HTTP/1.1. A request goes to the one address that was chosen for it, over a connection to that
 * address. Every address is checked right before its socket connects, whether it was written in the URL or found by its
 * name, so a name that resolves anew cannot slip past (contract 4.4).
 */
export function createHttpWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { rules, timeoutMs = WEBHOOK_TIMEOUT_MS } = options;
  const resolve = options.resolve ?? rememberNames(createResolver(rules));
  // What is dropped ends once its requests have.
  const agents = new LRUCache<string, Agent>({ max: ADDRESSES_KEPT, dispose: (agent) => void agent.close() });

  function agentOf(address: string): Agent {
    const known = agents.get(address);
    if (known) return known;
    const agent = new Agent({
      connections: CONNECTIONS_PER_ORIGIN,
      allowH2: false,
      maxHeaderSize: RESPONSE_HEADERS_MAX_BYTES,
      // One clock for the whole attempt, below.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: createGuardedConnector(rules, address, timeoutMs),
    });
    agents.set(address, agent);
    return agent;
  }

  let closed = false;

  async function send(request: WebhookRequest): Promise<WebhookReply> {
    const { url, headers, body } = request;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const { address, target } = await beforeAbort(findRoute(request, rules, resolve), signal);
      if (target !== request.target) return { kind: "moved", target };
      const response = await sendRequest(url, {
        dispatcher: agentOf(address),
        method: "POST",
        headers: { ...commonHeaders, ...headers },
        body,
        signal,
      });
      const retryAfter = response.headers["retry-after"];
      return {
        kind: "answered",
        status: response.statusCode,
        retryAfter: typeof retryAfter === "string" ? retryAfter : null,
        bodyStart: await readStart(response.body),
      };
    } catch (error) {
      if (closed) throw error;
      return { kind: "failed", error: describeFailure(error, signal.aborted ? timeoutMs : null) };
    }
  }

  return {
    send,
    async close() {
      closed = true;
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

/** A connector to one address, whatever the host's name; it opens no socket to one that the rules do not allow. */
function createGuardedConnector(rules: TargetRules, address: string, timeoutMs: number): buildConnector.connector {
  const found = { address, family: isIP(address) };
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    if (all) callback(null, [found]);
    else callback(null, found.address, found.family);
  };
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    // Handed on to net.connect and tls.connect, whose types the connector's do not include.
    ...({ lookup } as object),
  });
  return (options, callback) => {
    if (isAllowedTarget(address, rules)) connect(options, callback);
    else callback(new BlockedTargetError(), null);
  };
}

/** @throws the signal's reason when it comes first */
function beforeAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}

/** The first 2 KB of the body, or less if no more comes for a while. What is not read is dropped with its connection. */
async function readStart(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), RESPONSE_WAIT_MS);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      // Leaving the loop destroys the body and its connection.
      if (size > RESPONSE_KEPT_BYTES) break;
    }
  } catch {
    // The status has come: what breaks off afterwards changes nothing.
  } finally {
    clearTimeout(timer);
  }
  const start = Buffer.concat(chunks).subarray(0, RESPONSE_KEPT_BYTES).toString("utf8");
  // PostgreSQL stores no NUL.
  return start.replaceAll("\0", "\ufffd");
}
