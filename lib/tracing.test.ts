import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { isTracing } from "#lib/domain/trace.ts";
import { readEnv } from "#lib/env.ts";
import { apiFetch } from "#lib/http/route-table.ts";
import { closeRuntime } from "#lib/runtime.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { reconcileOpenOperation } from "#lib/services/operation/reconcile.ts";
import { sql } from "#tests/sql.ts";
import { rehearsed } from "#tests/support/faults.ts";
import { startReceiver } from "#tests/support/receiver.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWebhooks } from "#tests/support/webhooks.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { startTracing } from "./tracing.ts";

interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number; readonly message?: string };
}
interface Received {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[] }[];
}

let world: World;
let reseller: ResellerWorld;
let receiver: Server;
let endpoint: string;
let bodies: string[];
let stop: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller({ funds: "500" });
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      bodies.push(body);
      response.setHeader("Content-Type", "application/json").end("{}");
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => receiver.once("listening", resolve));
  endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  Object.assign(process.env, { DATABASE_URL: world.url, API_KEY_PEPPER: PEPPER, LOG_LEVEL: "silent" });
});
afterAll(async () => {
  receiver.close();
  await world.close();
});
beforeEach(() => {
  bodies = [];
});
afterEach(async () => {
  await stop();
  await closeRuntime();
});

async function start(ratio = "1"): Promise<void> {
  const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio };
  stop = await startTracing(readEnv(env));
}

/** Everything that was sent by the end of the process. */
async function received(): Promise<readonly ReceivedSpan[]> {
  await stop();
  const sent = bodies.map((body) => JSON.parse(body) as Received);
  return sent.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
}

async function register(ipAddress: string, headers: Readonly<Record<string, string>> = {}, ratio = "1") {
  const { apiKey } = await createResellerApiKey(world.operator, {
    resellerId: reseller.id,
    name: "a name that nobody must see",
    scopes: ["licenses:write"],
  });
  const { productId, cycleId } = await world.offer(reseller.id, "control_panel", 1);
  const body = new URLSearchParams({
    product_id: String(productId),
    cycle_id: String(cycleId),
    ip_address: ipAddress,
    notes: "a note that nobody must see",
  });
  const target = "/api/v1/?endpoint=license.register";
  const request = new Request(`http://desk.test${target}`, {
    method: "POST",
    headers: { "x-api-key": apiKey, ...headers },
    body,
  });
  await start(ratio);
  const response = await apiFetch(request, { peerAddress: "203.0.113.9", target });
  return { response, apiKey, requestId: response.headers.get("x-request-id") ?? "" };
}

test("one registration is one trace: request, service, statements and provider, within each other", async () => {
  const { response, requestId } = await register(world.freshIp());
  expect(response.status).toBe(200);
  const spans = await received();
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathOf = (span: ReceivedSpan | undefined): string[] =>
    span ? [...pathOf(byId.get(span.parentSpanId ?? "")), span.name] : [];
  const http = "dispatch license.register";
  const service = "service license.register";
  const paths = spans.map((span) => pathOf(span).join(" > "));
  expect(paths).toContain(http);
  expect(paths).toContain(`${http} > ${service}`);
  expect(paths).toContain(`${http} > sql find_usable_api_key`);
  expect(paths).toContain(`${http} > ${service} > sql hold_operations`);
  expect(paths).toContain(`${http} > ${service} > provider change`);
  expect(paths.filter((path) => !path.startsWith(http))).toEqual([]);
  const root = spans.find(({ name }) => name === http);
  expect(root?.traceId).toBe(hash("sha256", requestId).slice(0, 32));
  expect(root?.attributes).toContainEqual({ key: "license_desk.request_id", value: { stringValue: requestId } });
  expect(root?.attributes).toContainEqual({ key: "http.response.status_code", value: { intValue: 200 } });
});

test("no span has a key, an address, a name, a price or another value of the request", async () => {
  const ip = world.freshIp();
  const { apiKey } = await register(ip, { "user-agent": "an agent that nobody must see" });
  await received();
  expect(bodies.join("")).toContain("license.register");
  for (const value of [
    apiKey,
    apiKey.slice(0, 14),
    ip,
    "203.0.113.9",
    "nobody must see",
    "select ",
    "desk.test",
    PEPPER,
  ]) {
    expect(bodies.join("")).not.toContain(value);
  }
});

test("an error is a span's status by its code, without its message", async () => {
  const { response } = await register("not-an-address");
  expect(response.status).toBe(400);
  const root = (await received()).find(({ name }) => name.startsWith("dispatch "));
  expect(root?.status).toEqual({ code: 2, message: "parameters_invalid" });
});

test("a caller cannot choose the trace", async () => {
  const chosen = "4bf92f3577b34da6a3ce929d0e0e4736";
  await register(world.freshIp(), { traceparent: `00-${chosen}-00f067aa0ba902b7-01` });
  await received();
  expect(bodies.join("")).not.toContain(chosen);
});

test("another process that learns the outcome later continues the trace", async () => {
  const { response } = await register(rehearsed.losesAnswer);
  expect(response.status).toBe(202);
  const first = await received();
  await run("update operations set ask_at = now(), owner_id = null where state = 'unknown'");
  const [open] = await run<{ id: string }>("select id from operations where state = 'unknown'");
  bodies = [];
  await start();
  const worker = world.context({ kind: "system", name: "worker" }, { now: () => new Date() });
  await reconcileOpenOperation(worker, { operationId: open?.id ?? "", early: true });
  const later = (await received()).find(({ name }) => name === "reconcile");
  const root = first.find(({ name }) => name === "dispatch license.register");
  expect(later).toMatchObject({ traceId: root?.traceId, parentSpanId: root?.spanId });
});

test("a webhook's delivery is in the trace of the request that it reports, and the receiver gets none of it", async () => {
  const customer = await startReceiver();
  const webhooks = newWebhooks(world);
  world.setClock(new Date());
  await webhooks.endpoint(reseller.id, { url: customer.url });
  await register(world.freshIp());
  await run("update webhook_deliveries set next_attempt_at = now() - interval '1 minute'");
  expect(await webhooks.deliver()).toBe(1);
  const spans = await received();
  const root = spans.find(({ name }) => name === "dispatch license.register");
  const delivery = spans.find(({ name }) => name === "webhook delivery");
  expect(delivery).toMatchObject({ traceId: root?.traceId, parentSpanId: root?.spanId });
  expect(Object.keys(customer.received[0]?.headers ?? {})).not.toContain("traceparent");
  await Promise.all([webhooks.sender.close(), customer.close()]);
});

test("a ratio of 0 traces nothing, and requests work", async () => {
  const { response } = await register(world.freshIp(), {}, "0");
  expect(response.status).toBe(200);
  expect(await received()).toEqual([]);
});

test("without an endpoint nothing is loaded", () => {
  const script = `import "#lib/serve.ts"; import { startTracing } from "#lib/tracing.ts"; import { createRequire } from "node:module";
    await startTracing();
    const loaded = Object.keys(createRequire(process.cwd() + "/x").cache);
    console.log(loaded.some((file) => file.includes("/prom-client/")), loaded.filter((file) => /opentelemetry.(?:sdk|exporter|otlp)/.test(file)).length);`;
  const env = { PATH: process.env.PATH, NODE_ENV: "test" } as NodeJS.ProcessEnv;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { env, encoding: "utf8" });
  expect(output.trim()).toBe("true 0");
  expect(isTracing()).toBe(false);
});

const run = <Row>(text: string) => world.db.query(sql<Row>(text), []);
