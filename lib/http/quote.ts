const QUOTED_MAX_LENGTH = 100;

/** What a caller sent, fit to be read in a message. */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, QUOTED_MAX_LENGTH).toWellFormed());
}
