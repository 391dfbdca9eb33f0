import { createHmac } from "node:crypto";

export type ApiKeyMode = "live" | "test";

const prefixes = { live: "lk_live_", test: "lk_test_" } as const satisfies Record<ApiKeyMode, string>;
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const SIGNED_LENGTH = prefixes.live.length + RANDOM_CHARACTERS;
const KEY_LENGTH = SIGNED_LENGTH + CHECKSUM_CHARACTERS;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Largest multiple of 62 that fits a byte. Higher bytes are discarded to avoid modulo bias. */
const UNBIASED_BYTES = 248;

const digitByCode = new Int8Array(128).fill(-1);
for (let digit = 0; digit < ALPHABET.length; digit++) digitByCode[ALPHABET.charCodeAt(digit)] = digit;

const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
  return remainder;
});

/** `lk_live_` or `lk_test_`, 32 random base62 characters, 6 of CRC32 (contract 1.13). Shown once, never stored. */
export function createApiKey(mode: ApiKeyMode, randomBytes: (count: number) => Uint8Array): string {
  let text: string = prefixes[mode];
  while (text.length < SIGNED_LENGTH) {
    for (const byte of randomBytes(SIGNED_LENGTH - text.length)) {
      if (byte < UNBIASED_BYTES) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  let checksum = 0;
  for (let index = 0; index < SIGNED_LENGTH; index++) checksum = crcStep(checksum, text.charCodeAt(index));
  return text + toBase62(checksum >>> 0);
}

/**
 * Returns null for a malformed key or a wrong CRC32 (contract 1.13). Runs on every request before the database is
 * queried, hence the single pass over character codes.
 */
export function parseApiKey(text: string): { readonly mode: ApiKeyMode } | null {
  if (text.length !== KEY_LENGTH) return null;
  const mode = text.startsWith(prefixes.live) ? "live" : text.startsWith(prefixes.test) ? "test" : null;
  if (mode === null) return null;
  let checksum = 0;
  for (let index = 0; index < SIGNED_LENGTH; index++) {
    const code = text.charCodeAt(index);
    if (index >= prefixes.live.length && (digitByCode[code] ?? -1) < 0) return null;
    checksum = crcStep(checksum, code);
  }
  let stated = 0;
  for (let index = SIGNED_LENGTH; index < KEY_LENGTH; index++) {
    const digit = digitByCode[text.charCodeAt(index)] ?? -1;
    if (digit < 0) return null;
    stated = stated * ALPHABET.length + digit;
  }
  return stated === checksum >>> 0 ? { mode } : null;
}

/** HMAC-SHA256 under the pepper, 32 bytes; stored instead of the key (contract 1.13). */
export function hashApiKey(token: string, pepper: string | Uint8Array): Buffer {
  return createHmac("sha256", pepper).update(token).digest();
}

/** `lk_live_ab…wxyz`: enough to tell keys apart, too little to use one. */
export function apiKeyHint(token: string): string {
  return `${token.slice(0, prefixes.live.length + 2)}…${token.slice(-4)}`;
}

/** The mode of the key with this hint. */
export function hintedMode(hint: string): ApiKeyMode {
  return hint.startsWith(prefixes.test) ? "test" : "live";
}

/** Advances a CRC32 (as in zip and zlib) by one ASCII character. */
function crcStep(checksum: number, code: number): number {
  const register = ~checksum;
  return ~((crcTable[(register ^ code) & 255] ?? 0) ^ (register >>> 8));
}

function toBase62(value: number): string {
  let text = "";
  for (let rest = value; text.length < CHECKSUM_CHARACTERS; rest = Math.floor(rest / ALPHABET.length)) {
    text = `${ALPHABET[rest % ALPHABET.length]}${text}`;
  }
  return text;
}
