import { isDomainError } from "./errors.ts";

/** Fixed words, ids of requests, and numbers: never what a caller sent. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanStart {
  readonly name: string;
  /** `server`: serves a caller; `client`: asks another system. */
  readonly kind?: "server" | "client";
  readonly attributes?: SpanAttributes;
  /**
   * Within no other span: `begins`, the span is the first one of this request's trace; `continues`, a later one, of
   * whatever process. Without it, there is only a span within another one.
   */
  readonly request?: { readonly id: string; readonly role: "begins" | "continues" };
}

export interface OpenSpan {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. */
  fail(code: string): void;
}

export interface Tracer {
  run<Result>(start: SpanStart, work: (span: OpenSpan) => Promise<Result>): Promise<Result>;
}

const KEY = Symbol.for("license-desk.tracer");
/** One for each process: Next bundles its own copy of this module. */
const shared = globalThis as { [KEY]?: Tracer };

export function setTracer(tracer: Tracer | null): void {
  if (tracer) shared[KEY] = tracer;
  else delete shared[KEY];
}

export function isTracing(): boolean {
  return shared[KEY] !== undefined;
}

const untraced: OpenSpan = { rename() {}, set() {}, fail() {} };

/** Does the work within a span, if traces are configured. An error fails the span by its code alone. */
export function traced<Result>(start: SpanStart, work: (span: OpenSpan) => Promise<Result>): Promise<Result> {
  return shared[KEY]?.run(start, work) ?? work(untraced);
}

/** How a span names an error. Its message may quote values. */
export function errorCodeOf(error: unknown): string {
  return isDomainError(error) ? error.code : "internal";
}
