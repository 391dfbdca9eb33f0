/** Who carries a webhook to its receiver. */
export interface WebhookSender {
  /**
   * Sends once and follows no redirect. Ends within 15 seconds, whatever the receiver does. Throws only when it is
   * closed meanwhile: that says nothing of the receiver.
   */
  send(request: WebhookRequest): Promise<WebhookReply>;
  close(): Promise<void>;
}

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type WebhookReply =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** As sent. */
      readonly retryAfter: string | null;
      /** At most 2 KB of it, as text. */
      readonly bodyStart: string;
    }
  /** No answer; `error` says why in a sentence for the endpoint's owner. */
  | { readonly kind: "failed"; readonly error: string };
