import type { Events } from "./schema.ts";

/** An event as webhooks carry it. The API may gain kinds: ignore unknown ones. */
export type WebhookEvent = {
  [Kind in keyof Events]: { readonly event: Kind; readonly timestamp: string; readonly data: Events[Kind] };
}[keyof Events];

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Webhook {
  /** As received: parsing and serializing it again breaks the signature. */
  readonly body: string | Uint8Array;
  readonly headers: WebhookHeaders;
  /** `whsec_…` */
  readonly secret: string;
  /** Age or lead that is accepted; default: 300. */
  readonly toleranceSeconds?: number;
}

/** The webhook is not genuine, or too old. Answer 400. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

export interface WebhookHandler extends Pick<Webhook, "secret" | "toleranceSeconds"> {
  /** `id` stays the same when an event arrives again. */
  readonly onEvent: (event: WebhookEvent, id: string) => unknown;
}

const DEFAULT_TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = "whsec_";
const SIGNATURE_PREFIX = "v1,";

/**
 * Returns the event of a genuine webhook.
 * @throws {WebhookError} otherwise.
 */
export async function verifyWebhook(webhook: Webhook): Promise<WebhookEvent> {
  const { body, headers, secret, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = webhook;
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError("A header of the webhook is missing.");
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookError("The webhook's timestamp is too far from now.");
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  if (!(await isSigned(`${id}.${timestamp}.${text}`, signatures, secret))) {
    throw new WebhookError("No signature of the webhook matches.");
  }
  return JSON.parse(text) as WebhookEvent;
}

/** After a rotation a webhook has two signatures. */
async function isSigned(signed: string, signatures: string, secret: string): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const secretBytes = bytesOf(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : "");
  if (!secretBytes?.length) throw new TypeError("The secret of a webhook endpoint starts with whsec_.");
  const key = await crypto.subtle.importKey("raw", secretBytes, algorithm, false, ["verify"]);
  const data = new TextEncoder().encode(signed);
  for (const one of signatures.split(" ")) {
    const signature = one.startsWith(SIGNATURE_PREFIX) ? bytesOf(one.slice(SIGNATURE_PREFIX.length)) : null;
    // Compares in constant time.
    if (signature && (await crypto.subtle.verify(algorithm, key, signature, data))) return true;
  }
  return false;
}

/** Null unless the text is base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === "string" ? value : null;
}

/** Answers webhooks and challenges, for servers that take a function from `Request` to `Response`. */
export function createWebhookHandler({ onEvent, ...options }: WebhookHandler): (request: Request) => Promise<Response> {
  return async (request) => {
    const { headers } = request;
    const body = new Uint8Array(await request.arrayBuffer());
    let event: WebhookEvent;
    try {
      event = await verifyWebhook({ body, headers, ...options });
    } catch (error) {
      if (error instanceof WebhookError) return new Response(error.message, { status: 400 });
      throw error;
    }
    if (event.event === "webhook.endpoint_verification") return new Response(event.data.challenge);
    await onEvent(event, headers.get("webhook-id") ?? "");
    return new Response(null, { status: 204 });
  };
}
