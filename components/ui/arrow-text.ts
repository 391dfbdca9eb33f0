/** `before → after`: no line begins with the arrow. */
export function arrowText(before: string | number, after: string | number): string {
  return `${before}\u00a0→ ${after}`;
}
