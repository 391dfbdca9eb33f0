/** What the token of a message's link is sealed for. */
export function sealOwnerOf(messageId: string): string {
  return `mail:${messageId}`;
}
