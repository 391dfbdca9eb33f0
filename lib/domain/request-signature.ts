import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Header with the request target as sent, set by `instrumentation.ts`. */
export const TARGET_HEADER = "x-license-desk-target";

/** What a signature covers (contract 3.14). */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as sent, not decoded or normalized: `/api/v1/?endpoint=balance`. */
  readonly target: string;
  /** The raw body; empty for a request without one. */
  readonly body: Uint8Array | string;
}

export type SignatureVerdict =
  /** `signature`: its 32 bytes, accepted once. */
  { readonly kind: "genuine"; readonly signature: Buffer } | { readonly kind: "malformed" | "outdated" | "forged" };

/** Allowed difference between the caller's clock and ours (contract 3.14). */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

const SECRET_PREFIX = "lss_";
const SECRET_BYTES = 32;
/** The nonce cannot contain a dot, so the signed text is unambiguous. */
const headerPattern = /^t=(0|[1-9]\d{0,14}),(?:n=([\w-]{1,64}),)?v1=([0-9a-f]{64})$/;

/** `lss_` and 32 random bytes in base64url. The whole text is the HMAC key. */
export function createSigningSecret(randomBytes: (count: number) => Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url");
}

/**
 * Value of `X-Signature`: `t=<epoch seconds>,v1=<hex HMAC-SHA256>` (contract 3.14), or with a nonce
 * `t=…,n=<nonce>,v1=…`. A signature is accepted once: equal requests within a second need different nonces.
 * @param nonce 1 to 64 letters, digits, `-` and `_`
 */
export function signRequest(secret: string, request: SignedRequest, epochSeconds: number, nonce?: string): string {
  const signature = computeSignature(secret, request, epochSeconds, nonce).toString("hex");
  return nonce === undefined ? `t=${epochSeconds},v1=${signature}` : `t=${epochSeconds},n=${nonce},v1=${signature}`;
}

/** Verifies signature and time. The caller rejects a second use. */
export function verifySignature(
  secret: string,
  request: SignedRequest,
  header: string,
  nowSeconds: number,
): SignatureVerdict {
  const match = headerPattern.exec(header);
  if (!match) return { kind: "malformed" };
  const epochSeconds = Number(match[1]);
  const nonce = match[2];
  const signature = Buffer.from(match[3] ?? "", "hex");
  if (Math.abs(nowSeconds - epochSeconds) > SIGNATURE_TOLERANCE_SECONDS) return { kind: "outdated" };
  if (!timingSafeEqual(signature, computeSignature(secret, request, epochSeconds, nonce))) return { kind: "forged" };
  return { kind: "genuine", signature };
}

function computeSignature(
  secret: string,
  { method, target, body }: SignedRequest,
  epochSeconds: number,
  nonce: string | undefined,
): Buffer {
  const time = nonce === undefined ? String(epochSeconds) : `${epochSeconds}.${nonce}`;
  const bodyHash = createHash("sha256").update(body).digest("hex");
  return createHmac("sha256", secret).update(`${time}.${method}.${target}.${bodyHash}`).digest();
}
