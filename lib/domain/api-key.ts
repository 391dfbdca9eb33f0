import { createHmac } from "node:crypto";
import { crc32 } from "node:zlib";
import { randomCharacters } from "./readable-secret.ts";

export type ApiKeyMode = "live" | "test";

const prefixes = { live: "lk_live_", test: "lk_test_" } as const satisfies Record<ApiKeyMode, string>;
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const SIGNED_LENGTH = prefixes.live.length + RANDOM_CHARACTERS;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const keyPattern = /^lk_(live|test)_[0-9A-Za-z]{38}$/;

/** `lk_live_` or `lk_test_`, 32 random base62 characters, 6 of CRC32 (contract 1.13). Shown once, never stored. */
export function createApiKey(mode: ApiKeyMode, randomBytes: (count: number) => Uint8Array): string {
  const signed = prefixes[mode] + randomCharacters(ALPHABET, RANDOM_CHARACTERS, randomBytes);
  return signed + toBase62(crc32(signed));
}

/** Returns null for a malformed key or a wrong CRC32 (contract 1.13), before the database is queried. */
export function parseApiKey(text: string): { readonly mode: ApiKeyMode } | null {
  const mode = keyPattern.exec(text)?.[1] as ApiKeyMode | undefined;
  if (mode === undefined) return null;
  return toBase62(crc32(text.slice(0, SIGNED_LENGTH))) === text.slice(SIGNED_LENGTH) ? { mode } : null;
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

function toBase62(value: number): string {
  let text = "";
  for (let rest = value; text.length < CHECKSUM_CHARACTERS; rest = Math.floor(rest / ALPHABET.length)) {
    text = `${ALPHABET[rest % ALPHABET.length]}${text}`;
  }
  return text;
}
