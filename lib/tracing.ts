import { isTracing, setTracer } from "#lib/domain/trace.ts";
import { type Env, readEnv } from "#lib/env.ts";

/** Starts sending traces if that is configured, else loads nothing. Returns how to stop. */
export async function startTracing(env: Env = readEnv()): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = env;
  if (endpoint === undefined || isTracing()) return async () => undefined;
  const { createOtelTracer } = await import("#lib/adapters/tracer-otel.ts");
  const tracer = createOtelTracer({ endpoint, ratio });
  setTracer(tracer);
  return () => {
    setTracer(null);
    return tracer.close();
  };
}
