import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** A header with the request target as it was sent, set by `instrumentation.ts` beside the peer's address. */
export const TARGET_STAMP = "x-license-desk-target";

/** What a signature covers (contract 3.14). */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as sent, nothing decoded or normalized: `/api/v1/?endpoint=balance`. */
  readonly target: string;
  /** The raw body; empty for a request without one. */
  readonly body: Uint8Array | string;
}

export type SignatureVerdict =
  /** `signature`: its 32 bytes, to be accepted once. */
  { readonly kind: "genuine"; readonly signature: Buffer } | { readonly kind: "malformed" | "outdated" | "forged" };

/** Of the caller's clock against ours, either way (contract 3.14). */
export const SIGNATURE_TOLERANCE_SECONDS = 300;

const SECRET_PREFIX = "lss_";
const SECRET_BYTES = 32;
/** No dot: what is signed reads in one way only. */
const headerPattern = /^t=(0|[1-9]\d{0,14}),(?:n=([\w-]{1,64}),)?v1=([0-9a-f]{64})$/;

/** `lss_` and 32 random bytes in base64url. The text as a whole is the HMAC's key. */
export function createSigningSecret(randomBytes: (count: number) => Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url");
}

/**
 * The value of `X-Signature`: `t=<epoch seconds>,v1=<hex HMAC-SHA256>` (contract 3.14), or with a nonce
 * `t=…,n=<nonce>,v1=…`. A signature is accepted once: two equal requests within a second need a nonce each.
 * @param nonce 1 to 64 letters, digits, `-` and `_`
 */
export function signRequest(secret: string, request: SignedRequest, epochSeconds: number, nonce?: string): string {
  const signature = computeSignature(secret, request, epochSeconds, nonce).toString("hex");
  return nonce === undefined ? `t=${epochSeconds},v1=${signature}` : `t=${epochSeconds},n=${nonce},v1=${signature}`;
}

/** Whether `header` signs this request, at about this time. That it is used once is the caller's to see to. */
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
