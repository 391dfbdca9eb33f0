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
  /** Where the request may go: what it was counted against. Null: the host is not resolved yet. */
  readonly target: string | null;
  /** Failures in a row: each one tries the next of the host's addresses. */
  readonly failures: number;
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
  /** Nothing was sent: the host is at another target. */
  | { readonly kind: "moved"; readonly target: string }
  /** No answer; `error` says why in a sentence for the endpoint's owner. */
  | { readonly kind: "failed"; readonly error: string };
