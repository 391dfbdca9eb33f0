/** Without look-alike characters. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUP_LENGTH = 5;

/** Random groups of five characters, 25 bits each: `k7mfa-2qpxz`. */
export function createReadableSecret(groups: number, randomBytes: (count: number) => Uint8Array): string {
  const letters: string[] = [];
  while (letters.length < groups * GROUP_LENGTH) {
    for (const byte of randomBytes(groups * GROUP_LENGTH)) {
      // Higher bytes are discarded to avoid modulo bias.
      if (byte < 256 - (256 % ALPHABET.length)) letters.push(ALPHABET.charAt(byte % ALPHABET.length));
    }
  }
  const group = (index: number) => letters.slice(index * GROUP_LENGTH, (index + 1) * GROUP_LENGTH).join("");
  return Array.from({ length: groups }, (_, index) => group(index)).join("-");
}
