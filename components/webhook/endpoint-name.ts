export interface NamedEndpoint {
  readonly url: string;
  /** Of Telegram. */
  readonly chatId: string | null;
  readonly description: string;
}

/** What its owner calls an endpoint; else its chat, or its URL without the scheme: what tells endpoints apart comes first. */
export function endpointName({ url, chatId, description }: NamedEndpoint): string {
  if (description !== "") return description;
  if (chatId !== null) return `Telegram ${chatId}`;
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
