import { isIP, type LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";
import { LRUCache } from "lru-cache";
import { Agent, buildConnector, type Dispatcher, request as sendRequest } from "undici";
import { anyCidrContains, normalizeAddress } from "#lib/domain/cidr.ts";
import { isAllowedTarget, type TargetRules } from "#lib/domain/public-address.ts";
import { toStorable } from "#lib/domain/text.ts";
import type { WebhookReply, WebhookRequest, WebhookSender } from "#lib/ports/webhook-sender.ts";
import { BlockedTargetError, describeFailure } from "./webhook-failure.ts";
import { createResolver, type Resolve } from "./webhook-resolver.ts";
import { cacheNames, findRoute } from "./webhook-route.ts";

export interface WebhookSenderOptions {
  readonly rules: TargetRules;
  /** For a whole attempt: name, connection, TLS, request and response (contract 4.3). */
  readonly timeoutMs?: number;
  readonly resolve?: Resolve;
  readonly readOwnAddresses?: () => readonly string[];
}

const WEBHOOK_TIMEOUT_MS = 15_000;
const MAX_STORED_BYTES = 2_048;
/** The status decides; the body is only for the log. */
const RESPONSE_WAIT_MS = 2_000;
const RESPONSE_HEADERS_MAX_BYTES = 16 * 1024;
const CONNECTIONS_PER_ORIGIN = 32;
/** Addresses with keep-alive connections. */
const MAX_AGENTS = 500;

const commonHeaders = {
  "content-type": "application/json",
  "user-agent": "License-Desk-Webhooks/1.0",
  // Without compression, the body can be shown as received.
  "accept-encoding": "identity",
};

/**
 * Sends webhooks over HTTP/1.1, each to the address selected for it. Every address is checked right before its socket
 * connects, whether it came from the URL or from a name, so DNS rebinding cannot bypass the check (contract 4.4).
 */
export function createHttpWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { rules, timeoutMs = WEBHOOK_TIMEOUT_MS, readOwnAddresses = readInterfaces } = options;
  const resolve = options.resolve ?? cacheNames(createResolver(rules));
  // An evicted agent closes once its requests have ended.
  const agents = new LRUCache<string, Agent>({ max: MAX_AGENTS, dispose: (agent) => void agent.close() });

  /** No firewall is between this machine and its own addresses, so they are reached only if allowed explicitly. */
  function mayConnect(address: string): boolean {
    const isOwn = readOwnAddresses().some((own) => normalizeAddress(own) === normalizeAddress(address));
    return isAllowedTarget(address, rules) && (!isOwn || anyCidrContains(rules.allowedCidrs, address));
  }

  function agentOf(address: string): Agent {
    const known = agents.get(address);
    if (known) return known;
    const agent = new Agent({
      connections: CONNECTIONS_PER_ORIGIN,
      allowH2: false,
      maxHeaderSize: RESPONSE_HEADERS_MAX_BYTES,
      // One timeout for the whole attempt, below.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: createGuardedConnector(mayConnect, address, timeoutMs),
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

/** A connector to one address, whatever the host name; it refuses forbidden addresses. */
function createGuardedConnector(
  mayConnect: (address: string) => boolean,
  address: string,
  timeoutMs: number,
): buildConnector.connector {
  const found = { address, family: isIP(address) };
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    if (all) callback(null, [found]);
    else callback(null, found.address, found.family);
  };
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    // Passed to net.connect and tls.connect, whose options the connector's types lack.
    ...({ lookup } as object),
  });
  return (options, callback) => {
    if (mayConnect(address)) connect(options, callback);
    else callback(new BlockedTargetError(), null);
  };
}

const readInterfaces = () =>
  Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address));

/** @throws the signal's reason if it aborts first */
function beforeAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}

/** The first 2 KB of the body, or less if it stalls. The rest is dropped with the connection. */
async function readStart(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), RESPONSE_WAIT_MS);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.byteLength;
      // Leaving the loop destroys the body and its connection.
      if (size > MAX_STORED_BYTES) break;
    }
  } catch {
    // The status is known, so later failures do not matter.
  } finally {
    clearTimeout(timer);
  }
  return toStorable(Buffer.concat(chunks).subarray(0, MAX_STORED_BYTES).toString("utf8"));
}
