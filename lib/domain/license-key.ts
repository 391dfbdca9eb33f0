import type { Brand } from "./brand.ts";

/** `LIC-XXXXX-XXXXX-XXXXX-XXXXX` in capitals with a valid check character. */
export type LicenseKey = Brand<string, "LicenseKey">;

const PREFIX = "LIC-";
const GROUP_LENGTH = 5;
const RANDOM_SYMBOLS = 19;
const KEY_LENGTH = PREFIX.length + 4 * GROUP_LENGTH + 3;

/** Crockford's base32 omits I, L, O and U, so a key that is read aloud has one spelling. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const symbolByCode = new Int8Array(128).fill(-1);
for (let symbol = 0; symbol < ALPHABET.length; symbol++) {
  symbolByCode[ALPHABET.charCodeAt(symbol)] = symbol;
  symbolByCode[ALPHABET.toLowerCase().charCodeAt(symbol)] = symbol;
}

/** 95 random bits and a check character (contract 1.16). */
export function createLicenseKey(randomBytes: (count: number) => Uint8Array): LicenseKey {
  const bytes = randomBytes(Math.ceil((RANDOM_SYMBOLS * 5) / 8));
  let text = PREFIX;
  let sum = 0;
  for (let index = 0; index < RANDOM_SYMBOLS; index++) {
    const symbol = fiveBits(bytes, index * 5);
    if (index > 0 && index % GROUP_LENGTH === 0) text += "-";
    text += ALPHABET[symbol];
    sum = timesAlpha(sum) ^ symbol;
  }
  return `${text}${ALPHABET[timesAlpha(sum)]}` as LicenseKey;
}

/**
 * Normalizes to capitals without surrounding white space; null if malformed or the check character is wrong (contract
 * 1.16).
 */
export function parseLicenseKey(text: string): LicenseKey | null {
  const key = text.trim();
  if (key.length !== KEY_LENGTH || !hasPrefix(key)) return null;
  let sum = 0;
  for (let index = PREFIX.length; index < KEY_LENGTH; index++) {
    const code = key.charCodeAt(index);
    if ((index - PREFIX.length) % (GROUP_LENGTH + 1) === GROUP_LENGTH) {
      if (code !== 45) return null;
      continue;
    }
    const symbol = symbolByCode[code] ?? -1;
    if (symbol < 0) return null;
    sum = timesAlpha(sum) ^ symbol;
  }
  return sum === 0 ? (key.toUpperCase() as LicenseKey) : null;
}

/** Compares character codes: `toUpperCase` would turn a dotless `ı` into the I of the prefix. */
function hasPrefix(key: string): boolean {
  return (
    (key.charCodeAt(0) | 32) === 108 &&
    (key.charCodeAt(1) | 32) === 105 &&
    (key.charCodeAt(2) | 32) === 99 &&
    key.charCodeAt(3) === 45
  );
}

/**
 * Multiplies by α in GF(32), α⁵ = α² + 1. The powers of α differ at all 20 positions, so the sum of symbol × αⁱ detects
 * every single wrong character and every swap of two different ones.
 */
function timesAlpha(element: number): number {
  const shifted = element << 1;
  return shifted & 0b100000 ? shifted ^ 0b100101 : shifted;
}

/** Five bits per symbol make all symbols equally likely. */
function fiveBits(bytes: Uint8Array, bitOffset: number): number {
  const byteIndex = bitOffset >> 3;
  const pair = ((bytes[byteIndex] ?? 0) << 8) | (bytes[byteIndex + 1] ?? 0);
  return (pair >> (11 - (bitOffset & 7))) & 31;
}
