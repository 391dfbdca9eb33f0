import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

/** A 32-byte encryption key with the short id that every sealed secret carries. */
export interface SealingKey {
  readonly id: Buffer;
  readonly bytes: Buffer;
}

/** The secret was sealed with another key, for another owner, or is damaged. */
export class UnsealingError extends Error {
  override readonly name = "UnsealingError";
}

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
const VERSION = 1;
const ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const IV_START = 1 + ID_BYTES;
const TAG_START = IV_START + IV_BYTES;
const TEXT_START = TAG_START + TAG_BYTES;

/** Parses `ENCRYPTION_KEY`. Null unless it is 32 bytes in base64. */
export function parseSealingKey(base64: string): SealingKey | null {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.byteLength !== KEY_BYTES) return null;
  return { id: createHash("sha256").update("sealing key id").update(bytes).digest().subarray(0, ID_BYTES), bytes };
}

/**
 * Encrypts a secret with AES-256-GCM: version, key id, random IV, tag, ciphertext. `owner` is authenticated but not
 * stored, so a copy in another row cannot be opened.
 */
export function sealSecret(
  secret: string,
  owner: string,
  key: SealingKey,
  randomBytes: (count: number) => Uint8Array,
): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.bytes, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(owner, "utf8"));
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return new Uint8Array(Buffer.concat([Buffer.of(VERSION), key.id, iv, cipher.getAuthTag(), text]));
}

/** @throws UnsealingError */
export function openSecret(sealed: Uint8Array, owner: string, key: SealingKey): string {
  const bytes = Buffer.from(sealed);
  if (bytes.byteLength < TEXT_START || bytes[0] !== VERSION) throw new UnsealingError("This is not a sealed secret.");
  if (!bytes.subarray(1, IV_START).equals(key.id)) {
    throw new UnsealingError("The secret was sealed under another ENCRYPTION_KEY.");
  }
  const decipher = createDecipheriv(ALGORITHM, key.bytes, bytes.subarray(IV_START, TAG_START), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(owner, "utf8"));
  decipher.setAuthTag(bytes.subarray(TAG_START, TEXT_START));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(TEXT_START)), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new UnsealingError("The sealed secret is damaged or belongs to another owner.", { cause });
  }
}
