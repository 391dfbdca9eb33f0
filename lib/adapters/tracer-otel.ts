import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { errorCodeOf, type OpenSpan, type SpanStart, type Tracer } from "#lib/domain/trace.ts";

export interface OtelTracer extends Tracer {
  /** Sends what is left, if the collector takes it in time. Never throws. */
  close(): Promise<void>;
}

export interface OtelOptions {
  /** Without `/v1/traces`. */
  readonly endpoint: string;
  /** Share of the requests that are traced, 0 to 1. */
  readonly ratio: number;
  /** For a whole attempt: name, connection, TLS, request and response. */
  readonly attemptMs?: number;
}

const TRACE_ID_CHARACTERS = 32;
const SPAN_ID_CHARACTERS = 16;
const ATTEMPT_MS = 10_000;
const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

/**
 * Sends spans by OTLP over HTTP. A trace and its first span have ids derived from the request's, which operations
 * store, so that any process finds the trace that it continues (docs/decisions/0059). Nothing is registered globally:
 * Next would add spans with the URLs of pages.
 */
export function createOtelTracer({ endpoint, ratio, attemptMs = ATTEMPT_MS }: OtelOptions): OtelTracer {
  const random = new RandomIdGenerator();
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    timeoutMillis: attemptMs,
    httpAgentOptions: (protocol) => endAfter(attemptMs, protocol === "https:" ? new HttpsAgent() : new HttpAgent()),
  });
  /** Of the span that is being started. */
  let chosen: SpanIds | null = null;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": process.env.OTEL_SERVICE_NAME ?? "license-desk" }),
    // By the trace's id alone, so that every process decides alike.
    sampler: new TraceIdRatioBasedSampler(ratio),
    idGenerator: {
      generateTraceId: () => chosen?.traceId ?? random.generateTraceId(),
      generateSpanId: () => chosen?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer("license-desk");
  const contexts = new AsyncLocalStorage<Context>();

  function start({
    name,
    kind = undefined,
    attributes = {},
    request,
  }: SpanStart): { span: Span; context: Context } | null {
    const around = contexts.getStore();
    if (around === undefined && request === undefined) return null;
    const ids = request && idsOf(request.id);
    const isFirst = around === undefined && request?.role === "begins";
    const parent = around ?? (isFirst || !ids ? ROOT_CONTEXT : contextOf(ids));
    chosen = isFirst && ids ? ids : null;
    const span = tracer.startSpan(name, { kind: kinds[kind ?? "internal"], attributes }, parent);
    chosen = null;
    return { span, context: trace.setSpan(parent, span) };
  }

  return {
    run(options, work) {
      const started = start(options);
      if (started === null) return work(NO_SPAN);
      const { span, context } = started;
      return contexts
        .run(context, () => work(toOpenSpan(span)))
        .catch((error) => {
          span.setStatus({ code: SpanStatusCode.ERROR, message: errorCodeOf(error) });
          throw error;
        })
        .finally(() => span.end());
    },
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** Ends each connection, which is for one request: the exporter only bounds how long a collector is silent. */
function endAfter(attemptMs: number, agent: HttpAgent): HttpAgent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback);
    const timer = setTimeout(() => socket?.destroy(), attemptMs);
    return socket?.once("close", () => clearTimeout(timer));
  };
  return agent;
}

const NO_SPAN: OpenSpan = { rename() {}, set() {}, fail() {} };

function toOpenSpan(span: Span): OpenSpan {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail: (code) => void span.setStatus({ code: SpanStatusCode.ERROR, message: code }),
  };
}

function idsOf(requestId: string): SpanIds {
  const digest = hash("sha256", requestId);
  return {
    traceId: digest.slice(0, TRACE_ID_CHARACTERS),
    spanId: digest.slice(TRACE_ID_CHARACTERS, TRACE_ID_CHARACTERS + SPAN_ID_CHARACTERS),
  };
}

/** The first span of a trace, which another process may have ended long ago. */
function contextOf(ids: SpanIds): Context {
  return trace.setSpanContext(ROOT_CONTEXT, { ...ids, traceFlags: TraceFlags.SAMPLED, isRemote: true });
}
