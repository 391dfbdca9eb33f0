import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { AnsweredCall, RejectedConnection, SignInMethod } from "#lib/domain/observation.ts";

/** The metrics of a process, for Prometheus (docs/observability.md). Counting is in memory; a scrape reads. */
export interface Metrics {
  /** For `/metrics`, or for collecting those of several processes. */
  readonly registry: Registry;
  requestAnswered(request: AnsweredCall): void;
  connectionRejected(reason: RejectedConnection): void;
  /** `result`: the kind of a `SignInResult`. */
  signInTried(method: SignInMethod, result: string): void;
}

const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MS_PER_S = 1_000;

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "license_desk_requests_total",
    help: "Answered requests by interface, operation and outcome.",
    labelNames: ["interface", "operation", "code"],
    registers,
  });
  const durations = new Histogram({
    name: "license_desk_request_duration_seconds",
    help: "Time to answer a request by interface and operation.",
    labelNames: ["interface", "operation"],
    buckets: LATENCY_BUCKETS,
    registers,
  });
  const connections = new Counter({
    name: "license_desk_rejected_connections_total",
    help: "Connections that were closed without serving a request, by reason.",
    labelNames: ["reason"],
    registers,
  });
  const signIns = new Counter({
    name: "license_desk_sign_ins_total",
    help: "Attempts to sign in by method and result; refused ones had a wrong password, code or account.",
    labelNames: ["method", "result"],
    registers,
  });
  return {
    registry,
    requestAnswered({ interface: name, operation, code, durationMs }) {
      requests.inc({ interface: name, operation, code });
      durations.observe({ interface: name, operation }, durationMs / MS_PER_S);
    },
    connectionRejected: (reason) => connections.inc({ reason }),
    signInTried: (method, result) => signIns.inc({ method, result }),
  };
}
