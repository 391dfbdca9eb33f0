const PUNCTUATION = " .-_@/:,";
const LETTERS = "zqxjvkwy";

/** What `license_search_letters` makes of a text in lower case. */
export function toSearchLetters(text: string): string {
  return Array.from(text, (character) => LETTERS[PUNCTUATION.indexOf(character)] ?? character).join("");
}

/** The same, or null where the index, which is one of three characters in a row, cannot be asked for it. */
export function toIndexedLetters(text: string): string | null {
  const letters = toSearchLetters(text);
  return /[a-z0-9]{3}/.test(letters) ? letters : null;
}
