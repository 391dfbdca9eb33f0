const QUOTED_MAX_LENGTH = 100;

/** Truncates and escapes text of a caller for a message. */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, QUOTED_MAX_LENGTH).toWellFormed());
}
