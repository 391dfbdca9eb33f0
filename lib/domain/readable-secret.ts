/** Without look-alike characters. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUP_LENGTH = 5;

/** Characters of an alphabet, each equally likely. */
export function randomCharacters(alphabet: string, count: number, randomBytes: (count: number) => Uint8Array): string {
  // Higher bytes are discarded to avoid modulo bias.
  const unbiased = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < count) {
    for (const byte of randomBytes(count)) if (byte < unbiased) text += alphabet.charAt(byte % alphabet.length);
  }
  return text.slice(0, count);
}

/** Random groups of five characters, 25 bits each: `k7mfa-2qpxz`. */
export function createReadableSecret(groups: number, randomBytes: (count: number) => Uint8Array): string {
  const letters = randomCharacters(ALPHABET, groups * GROUP_LENGTH, randomBytes);
  const group = (index: number) => letters.slice(index * GROUP_LENGTH, (index + 1) * GROUP_LENGTH);
  return Array.from({ length: groups }, (_, index) => group(index)).join("-");
}
