/** Largest import in bytes of UTF-8: 5,000 rows of 200 characters. */
export const MAX_IMPORT_BYTES = 1_000_000;

export const IMPORT_TOO_LARGE = "The table is larger than 1 MB. Split it, and import its parts one after the other.";

export function isImportTooLarge(text: string): boolean {
  return text.length > MAX_IMPORT_BYTES || new TextEncoder().encode(text).byteLength > MAX_IMPORT_BYTES;
}
