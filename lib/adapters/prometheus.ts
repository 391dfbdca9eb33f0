import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Figures, PoolUse } from "#lib/domain/figures.ts";
import type {
  AnsweredCall,
  BreakerState,
  ProviderCall,
  RejectedConnection,
  SignInMethod,
} from "#lib/domain/observation.ts";
import { createRenderer } from "./prometheus-cluster.ts";
import { registerFigures } from "./prometheus-figures.ts";

/** The metrics of a process, for Prometheus (docs/observability.md). Counting is in memory; a scrape reads the rest. */
export interface Metrics {
  /** Of this process. */
  readonly registry: Registry;
  /** For `/metrics`: over all processes of this instance. */
  render(): Promise<string>;
  requestAnswered(call: AnsweredCall): void;
  connectionRejected(reason: RejectedConnection): void;
  /** `result`: the kind of a `SignInResult`. */
  signInTried(method: SignInMethod, result: string): void;
  providerAnswered(call: ProviderCall): void;
  breakerChanged(provider: string, state: BreakerState): void;
  /** Reports how many lines of the access log were dropped. */
  watchDroppedLines(readCount: () => number): void;
  /** Reports the use of a pool from now on. */
  watchPool(pool: "requests" | "replica" | "jobs", readUse: () => PoolUse): void;
}

export interface MetricsOptions {
  /** Null while the database is away. Called several times in each scrape. */
  readonly readFigures: () => Promise<Figures | null>;
  /** How far this machine's clock is ahead of the database's. */
  readonly readClockOffsetMs: () => number;
}

const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MS_PER_S = 1_000;
const breakerValues: Readonly<Record<BreakerState, number>> = { closed: 0, half_open: 1, open: 2 };

export function createMetrics({ readFigures, readClockOffsetMs }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  registerFigures(registry, readFigures);
  const watchPool = registerPools(registry);
  new Gauge({
    name: "license_desk_clock_offset_seconds",
    help: "How far this machine's clock is ahead of the database's.",
    registers,
    aggregator: "max",
    collect() {
      this.set(readClockOffsetMs() / MS_PER_S);
    },
  });
  const requests = new Counter({
    name: "license_desk_requests_total",
    help: "Answered requests by interface, operation and outcome: ok, the code of an error, or http_ and a status.",
    labelNames: ["interface", "operation", "code"],
    registers,
  });
  const durations = new Histogram({
    name: "license_desk_request_duration_seconds",
    help: "Time to answer a request, by interface and operation.",
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
    help: "Attempts to sign in by method and result; refused: a wrong password, code, passkey or account.",
    labelNames: ["method", "result"],
    registers,
  });
  const providerCalls = new Counter({
    name: "license_desk_provider_requests_total",
    help: "Requests to providers by what they ask (change, look_up) and outcome.",
    labelNames: ["provider", "request", "outcome"],
    registers,
  });
  const providerDurations = new Histogram({
    name: "license_desk_provider_request_duration_seconds",
    help: "Time until a provider's outcome was known or unclear, by what was asked.",
    labelNames: ["provider", "request"],
    buckets: LATENCY_BUCKETS,
    registers,
  });
  const breakers = new Gauge({
    name: "license_desk_provider_breaker_state",
    help: "Circuit breaker of a provider: 0 closed, 1 half open, 2 open.",
    labelNames: ["provider"],
    registers,
    aggregator: "max",
  });
  return {
    registry,
    render: createRenderer(registry),
    requestAnswered({ interface: name, operation, code, durationMs }) {
      requests.inc({ interface: name, operation, code });
      durations.observe({ interface: name, operation }, durationMs / MS_PER_S);
    },
    connectionRejected: (reason) => connections.inc({ reason }),
    signInTried: (method, result) => signIns.inc({ method, result }),
    providerAnswered({ provider, request, outcome, durationMs }) {
      providerCalls.inc({ provider, request, outcome });
      providerDurations.observe({ provider, request }, durationMs / MS_PER_S);
    },
    breakerChanged: (provider, state) => breakers.set({ provider }, breakerValues[state]),
    watchPool,
    watchDroppedLines(readCount) {
      let counted = 0;
      new Counter({
        name: "license_desk_access_log_dropped_lines_total",
        help: "Lines of the access log that were dropped because nobody read it.",
        registers,
        collect() {
          this.inc(readCount() - counted);
          counted = readCount();
        },
      });
    },
  };
}

function registerPools(registry: Registry): Metrics["watchPool"] {
  const pools = new Map<string, () => PoolUse>();
  const registers = [registry];
  new Gauge({
    name: "license_desk_pool_connections",
    help: "Database connections of a pool by state: idle, used, or unopened (up to its size).",
    labelNames: ["pool", "state"],
    registers,
    collect() {
      for (const [pool, readUse] of pools) {
        const { max, open, idle } = readUse();
        this.set({ pool, state: "idle" }, idle);
        this.set({ pool, state: "used" }, open - idle);
        this.set({ pool, state: "unopened" }, max - open);
      }
    },
  });
  new Gauge({
    name: "license_desk_pool_waiting",
    help: "Statements that wait for a connection of a pool.",
    labelNames: ["pool"],
    registers,
    collect() {
      for (const [pool, readUse] of pools) this.set({ pool }, readUse().waiting);
    },
  });
  return (pool, readUse) => void pools.set(pool, readUse);
}
