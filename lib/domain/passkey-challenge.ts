import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * What a passkey signs: random bytes, the end of the challenge, and an HMAC over both and the purpose. It needs no row
 * until it is used, so asking for one costs nothing.
 */
const RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 32;
const LIFETIME_MS = 5 * 60_000;

/** `sign-in`, or one user's: `register:7`, `prove:7`. */
export type ChallengePurpose = "sign-in" | `${"register" | "prove"}:${number}`;

interface ChallengeContext {
  readonly purpose: ChallengePurpose;
  readonly secret: string;
  readonly now: Date;
}

export function createPasskeyChallenge(
  { purpose, secret, now }: ChallengeContext,
  randomBytes: (count: number) => Uint8Array,
): Uint8Array<ArrayBuffer> {
  const end = Buffer.alloc(TIME_BYTES);
  end.writeUIntBE(now.getTime() + LIFETIME_MS, 0, TIME_BYTES);
  const head = Buffer.concat([randomBytes(RANDOM_BYTES), end]);
  return new Uint8Array(Buffer.concat([head, macOf(head, purpose, secret)]));
}

/** The end of a challenge of ours, or null: of another purpose, forged or expired. */
export function findChallengeEnd(challenge: string, { purpose, secret, now }: ChallengeContext): Date | null {
  const bytes = Buffer.from(challenge, "base64url");
  if (bytes.byteLength !== RANDOM_BYTES + TIME_BYTES + MAC_BYTES) return null;
  const head = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES);
  if (!timingSafeEqual(bytes.subarray(head.byteLength), macOf(head, purpose, secret))) return null;
  const end = new Date(head.readUIntBE(RANDOM_BYTES, TIME_BYTES));
  return end > now ? end : null;
}

function macOf(head: Buffer, purpose: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(`passkey challenge\0${purpose}\0`).update(head).digest();
}
