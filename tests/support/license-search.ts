/** A plain second implementation of the search. */

export interface SearchedFields {
  readonly key: string;
  readonly ipAddress: string;
  readonly hostname: string;
  readonly notes: string;
}

const notInWords = /[\s!-/:-@[-`{-\u00bf\u2000-\u206f\u3000-\u303f]/;

function beginsWord(field: string, text: string): boolean {
  for (let at = field.indexOf(text); at >= 0; at = field.indexOf(text, at + 1)) {
    if (at === 0 || notInWords.test(field.charAt(at - 1))) return true;
  }
  return false;
}

/**
 * From its first letter or digit on, the text starts the key (with or without LIC-), the address, or a word of host
 * name or notes.
 */
export function matchesText({ key, ipAddress, hostname, notes }: SearchedFields, searched: string): boolean {
  let text = searched.toLowerCase();
  while (text !== "" && notInWords.test(text.charAt(0))) text = text.slice(1);
  if (text === "") return false;
  const lowerKey = key.toLowerCase();
  return (
    [lowerKey, lowerKey.replace("lic-", ""), ipAddress].some((one) => one.startsWith(text)) ||
    [hostname, notes].some((field) => beginsWord(field.toLowerCase(), text))
  );
}
