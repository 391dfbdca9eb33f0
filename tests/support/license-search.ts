/** A plain second implementation of the search. */

export interface SearchedFields {
  readonly id: number;
  readonly key: string;
  readonly ipAddress: string;
  readonly externalId: string | null;
  readonly hostname: string;
  readonly notes: string;
  readonly customerName: string;
  readonly customerEmail: string;
  readonly customerReference: string;
  readonly tags: readonly string[];
  readonly productName: string;
  readonly type: string;
  readonly bundleInstanceId: number | null;
}

const notInWords = /[\s!-/:-@[-`{-\u00bf\u2000-\u206f\u3000-\u303f]/;
const notInKeys = /[^0-9a-hjkmnp-tv-z-]/;

function beginsWord(field: string, text: string): boolean {
  for (let at = field.indexOf(text); at >= 0; at = field.indexOf(text, at + 1)) {
    if (at === 0 || notInWords.test(field.charAt(at - 1))) return true;
  }
  return false;
}

/**
 * Every word, from its first letter or digit on, starts the key (with or without LIC-), the address, the external id, or
 * a word of host name, notes, customer, tags or product; or it ends the key, or is the license's id.
 */
export function matchesText(fields: SearchedFields, searched: string): boolean {
  const words = searched
    .toLowerCase()
    .replace(/(?<!\S)bundle (\d+)(?!\S)/g, "bundle\u0000$1")
    .split(/\s+/)
    .map((word) => {
      while (word !== "" && notInWords.test(word.charAt(0))) word = word.slice(1);
      return word.replace("\u0000", " ");
    })
    .filter((word) => word !== "");
  return words.length > 0 && words.every((word) => matchesWord(fields, word));
}

function matchesWord(fields: SearchedFields, word: string): boolean {
  const { id, key, ipAddress, externalId, hostname, notes, productName, type, bundleInstanceId } = fields;
  const { customerName, customerEmail, customerReference, tags } = fields;
  const lowerKey = key.toLowerCase();
  return (
    [lowerKey, lowerKey.replace("lic-", ""), ipAddress, externalId?.toLowerCase()].some((one) =>
      one?.startsWith(word),
    ) ||
    [hostname, notes, productName, type, customerName, customerEmail, customerReference, ...tags].some((field) =>
      beginsWord(field.toLowerCase(), word),
    ) ||
    (word.length >= 4 && !notInKeys.test(word) && lowerKey.endsWith(word)) ||
    [String(id), `lic_${id}`, `bundle ${bundleInstanceId}`].includes(word)
  );
}
