/** Text for a LIKE pattern: what is a wildcard there stands for itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
