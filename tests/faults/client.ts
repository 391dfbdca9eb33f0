import { isLong } from "./form.ts";
import type { DispatchRequest } from "./verbs.ts";

export interface FaultAnswer {
  readonly status: number;
  /** The error's code; "" for a success. */
  readonly code: string;
  readonly retryAfter: string | null;
  readonly replayed: boolean;
  readonly tookMs: number;
}

/** The long form stops servers for 70 s while callers wait. */
const TIMEOUT_MS = isLong ? 120_000 : 40_000;

/** Sends one request; null if the connection broke before the response. */
export async function post(
  url: string,
  caller: { readonly apiKey: string; readonly idempotencyKey?: string },
  { endpoint, parameters }: DispatchRequest,
): Promise<FaultAnswer | null> {
  const startedAt = performance.now();
  try {
    const response = await fetch(`${url}/api/v1?endpoint=${endpoint}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-api-key": caller.apiKey,
        ...(caller.idempotencyKey === undefined ? {} : { "idempotency-key": caller.idempotencyKey }),
      },
      body: JSON.stringify(parameters),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return await readAnswer(response, startedAt);
  } catch {
    return null;
  }
}

/** Reads something; null as above. */
export async function get(url: string, apiKey: string, endpoint: string): Promise<FaultAnswer | null> {
  const startedAt = performance.now();
  try {
    const headers = { "x-api-key": apiKey };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return await readAnswer(await fetch(`${url}/api/v1?endpoint=${endpoint}`, { headers, signal }), startedAt);
  } catch {
    return null;
  }
}

async function readAnswer(response: Response, startedAt: number): Promise<FaultAnswer> {
  const { headers, status } = response;
  const body = (await response.json()) as { code?: string };
  return {
    status,
    code: body.code ?? "",
    retryAfter: headers.get("retry-after"),
    replayed: headers.get("idempotent-replayed") === "true",
    tookMs: performance.now() - startedAt,
  };
}
